#!/bin/sh
# Puts Sentry's SDK for Python, which a test sends crashes with, into bin/tools/sentry-python. Without it, or without Python, that test
# is skipped and says so; where CI is set it must run.
set -eu

cd "$(dirname "$0")/../.."
python3 -m venv bin/tools/sentry-python
bin/tools/sentry-python/bin/pip install --quiet --disable-pip-version-check --no-deps --only-binary :all: -r tools/sentry-python/requirements.txt
touch bin/tools/sentry-python/bin/python
