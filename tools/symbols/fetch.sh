#!/bin/sh
# Puts the tools that tests compare symbolication with where the tests look for them: R8 and ProGuard from
# Maven Central into the local Maven repository, and programs of libraries on crates.io (reference/) into
# bin/tools, where they stay until the sources change. Without them those tests are skipped and say so; where
# CI is set they fail.
set -eu

get() { mvn -q -B dependency:get "$@"; }
get -Dartifact=com.android.tools:r8:8.5.35
get -Dartifact=com.guardsquare:proguard-base:7.4.2
get -Dartifact=com.guardsquare:proguard-retrace:7.4.2

cd "$(dirname "$0")/../.."
from=tools/symbols/reference
if [ ! -x bin/tools/stackwalk ] || [ ! -x bin/tools/dumper ] || [ -n "$(find $from -newer bin/tools/stackwalk -type f)" ]; then
	mkdir -p bin/tools
	CARGO_INCREMENTAL=0 cargo build --quiet --locked --manifest-path $from/Cargo.toml --target-dir bin/tools/cargo
	mv bin/tools/cargo/debug/stackwalk bin/tools/cargo/debug/dumper bin/tools/
	touch bin/tools/stackwalk bin/tools/dumper
	rm -rf bin/tools/cargo
fi
