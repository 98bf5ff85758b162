#!/bin/sh
# Puts the tools that tests compare symbolication with into the local Maven repository:
# R8 from Google's repository, ProGuard from Maven Central. Without them, or without Java,
# those tests are skipped and say so; where CI is set they fail.
set -eu

get() { mvn -q -B dependency:get "$@"; }
get -DremoteRepositories=google::default::https://dl.google.com/dl/android/maven2 -Dartifact=com.android.tools:r8:8.5.35
get -Dartifact=com.guardsquare:proguard-base:7.4.2
get -Dartifact=com.guardsquare:proguard-retrace:7.4.2
