#!/bin/sh
# Puts the tools that tests compare symbolication with where the tests look for them: R8 from Google's
# repository and ProGuard from Maven Central into the local Maven repository, and minidump-stackwalk from
# crates.io into bin/tools, where it stays until its version changes. Without them those tests are
# skipped and say so; where CI is set they fail.
set -eu

get() { mvn -q -B dependency:get "$@"; }
get -DremoteRepositories=google::default::https://dl.google.com/dl/android/maven2 -Dartifact=com.android.tools:r8:8.5.35
get -Dartifact=com.guardsquare:proguard-base:7.4.2
get -Dartifact=com.guardsquare:proguard-retrace:7.4.2

# Without optimisation of the whole program, which takes most of the time to build it.
cd "$(dirname "$0")/../.."
crate() {
	[ -e "bin/tools/.$1-$2" ] && [ -e "bin/tools/$1" ] && return
	cargo install --quiet --locked --root bin/tools/cargo --version "$2" "$1"
	mkdir -p bin/tools
	mv "bin/tools/cargo/bin/$1" bin/tools/
	rm -rf bin/tools/cargo
	touch "bin/tools/.$1-$2"
}
export CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_OPT_LEVEL=1 CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16
crate minidump-stackwalk 0.27.0
