#!/bin/sh
# Puts Kafka's broker where the tests of the journal look for it, with what it needs: bin/tools/kafka. Without it those tests are
# skipped and say so; where CI is set they fail.
set -eu
cd "$(dirname "$0")/../.."
to=bin/tools/kafka
if [ -f $to/done ] && [ $to/done -nt tools/kafka/pom.xml ]; then
	exit 0
fi
rm -rf $to
mkdir -p $to
mvn -q -B -f tools/kafka/pom.xml dependency:copy-dependencies -DincludeScope=runtime -DoutputDirectory="$PWD/$to"
touch $to/done
