#!/bin/sh
# Puts Schemathesis, which tests the server against its own description, into bin/tools/schemathesis. Without it, or without
# Python, that test is skipped and says so; where CI is set it must run.
set -eu

cd "$(dirname "$0")/../.."
python3 -m venv bin/tools/schemathesis
bin/tools/schemathesis/bin/pip install --quiet --disable-pip-version-check --no-deps --only-binary :all: -r tools/schemathesis/requirements.txt
touch bin/tools/schemathesis/bin/schemathesis
