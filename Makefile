# The targets a person needs: run, build, test, bench, check, ui, fmt, clean. README describes them.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DELETE_ON_ERROR:

GO      ?= go
NPM     ?= npm
LISTEN  ?= 127.0.0.1:8080
DATA    ?= ./data

# Linking DuckDB makes test binaries large; two or three at a time fit small machines, and
# without debugging information they link in half the time, with mold in less than two thirds of that. Stack traces are whole. lint vets.
# check and test run the same command, so the second of the two finds its
# results in Go's test cache.
#
# The longest ones, and those that wait for most of their time, come first, so that none of them is left when all others are done. Where
# the race detector takes three times as long and has little to find, tests run without it: those of whole processes and SDKs, whose parts other tests run with it in one process, those of
# filters, of queries as text and of readers of symbols, which compute in one goroutine, of the structure of the code, of the bench, whose queries
# are compared one after the other, and those that do one thing after the other, as models and walks through all routes do (TestWalk), or handle
# many rows or large requests (TestVolume).
PLAIN := ./cmd/quipu ./e2e ./internal/modeltest ./internal/filter ./internal/query/qt ./internal/archtest ./internal/bench \
	$(addprefix ./internal/symbols/,breakpad dart dwarf il2cpp minidump native plcrash proguard sourcemap swift)
LONGEST := $(addprefix ./internal/,store/events/duck store/events/clickhouse app wiretest store/journal/kafka store/rollup/clickhouse \
	store/state/postgres store/journal/jetstream store/docs/postgres modules/cohorts/whole modules/appusers/whole modules/live)
RESTING = $$(grep -rlE '^func Test(Walk|Volume)' --include=*_test.go client internal | xargs -n1 dirname | sort -u | sed 's|^|./|')
RACED = $$($(GO) list ./... | grep -vxF $(foreach p,$(PLAIN),-e quipu/$(p:./%=%)))
LINKING = -ldflags='-w $(addprefix -extldflags=-fuse-ld=,$(notdir $(shell command -v mold)))'
# Where CI is set, compilers collect garbage only if they need much memory, and linters, which do need it, less often: an eighth less of
# the processor. What is tested does as it always does.
SPARING := $(if $(CI),GOGC=off GOMEMLIMIT=2GiB)
SPARING_LINT := $(if $(CI),GOGC=300)
# There, the checks of the dashboard run beside tests, which have the first claim to the processor.
BESIDE := $(if $(CI),nice -n 5)
RUNNING = $(if $(CI),-exec='env -u GOGC -u GOMEMLIMIT')
# The race detector does not check C, so SQLite and zstd are compiled with fewer optimisations for it, in a quarter of the time.
RACE_C = CGO_CFLAGS='-Og -g0'
RACE = $(RACE_C) $(SPARING) $(GO) test -race -vet=off $(LINKING) $(RUNNING)
GOTEST_PLAIN = $(SPARING) $(GO) test -vet=off $(LINKING) $(RUNNING) -p 1 -timeout 20m $(PLAIN)
GOTEST = raced=$(RACED); $(RACE) -p 2 -timeout 20m -skip '^Test(Walk|Volume)' $(LONGEST) $$raced
GOTEST_REST = rest=$(RESTING); $(SPARING) $(GO) test -vet=off $(LINKING) $(RUNNING) -p 1 -timeout 15m -run '^Test(Walk|Volume)' $$rest
# The pipeline's tests once more, with the state of a cluster.
GOTEST_CLUSTER = QUIPU_TEST_STATE=postgres $(RACE) -timeout 15m ./internal/ingest/pipeline

UI_SOURCES := $(shell find ui/src -type f) ui/index.html ui/vite.config.ts $(wildcard ui/build/*) ui/package.json ui/package-lock.json ui/tsconfig.json
UI_OUT     := internal/web/dist/app/index.html
GEO        := internal/ingest/geo/data/country.mmdb
NPM_DONE   := node_modules/.package-lock.json
LINT       := bin/tools/golangci-lint
BENCHSTAT  := bin/tools/benchstat
SCHEMATHESIS := bin/tools/schemathesis/bin/schemathesis
PEBBLE     := bin/tools/pebble bin/tools/pebble-challtestsrv
SENTRY_PYTHON := bin/tools/sentry-python/bin/python
S3_STORE   := bin/tools/versitygw
DEPLOY     := bin/tools/deploy

.PHONY: run build dist dist-test ui test check bench microbench fmt clean go-test go-test-plain go-test-race go-test-rest go-test-cluster ui-test browser-test mold chromium postgres promtool proxies symbol-tools kafka fmt-check lint api-lint ui-check no-diff schemathesis sentry-python

run: build
	./bin/quipu serve --listen $(LISTEN) --data $(DATA)

# Without debugging information, which is a fifth of the binary; traces of goroutines and
# profiles keep their names.
build: ui $(GEO)
	$(GO) build -ldflags="-s -w" -o bin/quipu ./cmd/quipu

# Packages of the binary in dist/; ARCHES=amd64 builds for one architecture. dist-test installs the .deb in a bare Debian.
dist: ui $(GEO)
	./tools/dist.sh

dist-test:
	./tools/test-deb.sh

ui: $(UI_OUT)

$(UI_OUT): $(UI_SOURCES) ui/$(NPM_DONE)
	cd ui && $(NPM) run --silent build

# The country database is an npm package; the binary embeds it.
$(GEO): tools/geo/fetch.sh
	./tools/geo/fetch.sh
	touch $@

%/$(NPM_DONE): %/package.json %/package-lock.json
	cd $* && $(NPM) ci --no-audit --no-fund
	touch $@

# Tests.

# The browser's tests come last: they wait for a server, and have the machine for themselves then, also when make runs several targets at a time.
test: go-test ui-test $(if $(CI),lint)
	@$(MAKE) --no-print-directory browser-test

# The SDKs of e2e/ are Node.js packages, and one of them needs a browser.
GO_TEST_NEEDS := mold chromium postgres promtool proxies symbol-tools kafka schemathesis sentry-python $(PEBBLE) $(S3_STORE) $(DEPLOY) ui $(GEO) e2e/$(NPM_DONE)

# Tests of whole processes wait for most of their time, so make --jobs=3 runs those with the race detector beside them, and the others
# when there is room: by then what they are made of has been compiled.
go-test: go-test-plain go-test-race go-test-rest go-test-cluster

go-test-plain: $(GO_TEST_NEEDS)
	$(GOTEST_PLAIN)

go-test-race: $(GO_TEST_NEEDS)
	$(GOTEST)

go-test-rest: $(GO_TEST_NEEDS)
	$(GOTEST_REST)

go-test-cluster: $(GO_TEST_NEEDS)
	$(GOTEST_CLUSTER)

ui-test: ui/$(NPM_DONE)
	cd ui && $(NPM) run --silent test

browser-test: chromium build e2e/$(NPM_DONE)
	@if command -v chromium >/dev/null; then cd ui && $(NPM) run --silent e2e; else echo "browser-test: skipped, there is no Chromium" >&2; fi

# A linker that takes less of the processor than the one that gcc brings.
mold:
	@[ -z "$${CI:-}" ] || ./tools/need mold

# Without a browser the tests that need one are skipped, and say so; where CI is set they must run, and the dashboard's
# in its headless shell, which takes a fifth less of the processor.
chromium:
	@[ -z "$${CI:-}" ] || ./tools/need chromium-headless-shell || echo "chromium: there is no headless shell, the dashboard's tests use Chromium itself" >&2
	@./tools/need chromium || [ -z "$${CI:-}" ]

# The server that tests of the document store start for themselves. Without it they are skipped, and say so; where CI is set
# it is installed and they must run.
postgres:
	@[ -z "$${CI:-}" ] || ./tools/need postgres

# The proxies whose sites docs/operations has.
proxies:
	@[ -z "$${CI:-}" ] || ./tools/need nginx caddy

# What checks the alert rules of docs/operations.
promtool:
	@[ -z "$${CI:-}" ] || ./tools/need promtool

# What symbolication is compared with: R8, ProGuard, addr2line, llvm-symbolizer and minidump-processor, and the compilers of what they read.
symbol-tools:
	@[ -z "$${CI:-}" ] || { ./tools/need javac mvn g++ clang ld.lld addr2line llvm-symbolizer cargo && ./tools/symbols/fetch.sh; }

# Kafka's brokers, which tests of the journal start for themselves.
kafka:
	@[ -z "$${CI:-}" ] || { ./tools/need java mvn && ./tools/kafka/fetch.sh; }

# What tests the server against its own description.
schemathesis:
	@[ -z "$${CI:-}" ] || { ./tools/need python3 && $(MAKE) --no-print-directory $(SCHEMATHESIS); }

$(SCHEMATHESIS): tools/schemathesis/requirements.txt tools/schemathesis/fetch.sh
	./tools/schemathesis/fetch.sh

# Sentry's SDK for Python, which a test sends crashes with.
sentry-python:
	@[ -z "$${CI:-}" ] || { ./tools/need python3 && $(MAKE) --no-print-directory $(SENTRY_PYTHON); }

$(SENTRY_PYTHON): tools/sentry-python/requirements.txt tools/sentry-python/fetch.sh
	./tools/sentry-python/fetch.sh

# Figures of this machine, in two to three minutes. quipu bench --help has more.

bench: build
	./bin/quipu bench --short --markdown docs/reference/benchmarks.md

# What single parts cost: decoding, a batch of the pipeline, merging cells, reads from
# cells, adding rows, the outbox, the journal, profiles. Six runs go to bin/microbench.txt; with OLD=FILE, an earlier
# such file, they are compared.

BENCHED := ./internal/ingest/decode ./internal/ingest/request ./internal/ingest/pipeline ./internal/store/rollup/pebble \
	./internal/store/events/duck ./internal/store/outbox ./internal/store/journal/pebble ./internal/store/profile/pebble ./internal/query

microbench: $(BENCHSTAT)
	$(GO) test -run '^$$' -bench . -benchmem -count 6 -timeout 60m $(BENCHED) | tee bin/microbench.txt
	$(BENCHSTAT) $(OLD) bin/microbench.txt

$(BENCHSTAT): tools/go.mod tools/go.sum
	cd tools && $(SPARING) $(GO) build -o ../$@ golang.org/x/perf/cmd/benchstat
	@touch $@

# The certificate authority that tests have certificates from.
$(PEBBLE): tools/go.mod tools/go.sum
	cd tools && $(SPARING) $(GO) build -o ../$@ github.com/letsencrypt/pebble/v2/cmd/$(@F)
	@touch $@

# What checks the compose file and the chart of packaging/cluster.
$(DEPLOY): tools/deploy/main.go tools/deploy/go.mod tools/deploy/go.sum
	cd tools/deploy && $(SPARING) $(GO) build -ldflags="-s -w" -o ../../$@ .

# The S3-compatible store that tests put backups into.
$(S3_STORE): tools/versitygw/main.go tools/go.mod tools/go.sum
	cd tools && $(SPARING) $(GO) build -ldflags="-s -w" -o ../$@ ./versitygw
	@touch $@

# Checks.

# What is generated is made last: tests read it.
check: fmt-check api-lint ui-check go-test lint
	@$(MAKE) --no-print-directory no-diff

fmt: $(LINT)
	$(LINT) fmt

# Of files that lint does not see: those for other systems, and of tools/.
fmt-check: $(LINT)
	$(LINT) fmt --diff tools $$($(GO) list -race -f '{{$$d := .Dir}}{{range .IgnoredGoFiles}}{{$$d}}/{{.}} {{end}}' ./...)

# With all checks of go vet, and of the format (.golangci.yml). Types come from packages as tests with the race detector compile them, so that
# they compile once; where CI is set, it waits for those that run when the rest has been compiled.
lint: $(LINT) ui $(if $(CI),go-test-cluster)
	GOFLAGS="$${GOFLAGS:-} -race" $(RACE_C) $(SPARING_LINT) $(LINT) run ./...

# The description of the API, as the server gives it.
api-lint: build tools/apilint/$(NPM_DONE)
	./bin/quipu describe --openapi > bin/openapi.json
	cd tools/apilint && REDOCLY_TELEMETRY=off REDOCLY_SUPPRESS_UPDATE_NOTICE=true node_modules/.bin/redocly lint --config redocly.yaml ../../bin/openapi.json

ui-check: ui/$(NPM_DONE)
	cd ui && $(BESIDE) $(NPM) run --silent check

no-diff: ui
	@before=$$(git diff | cksum); \
	$(GO) generate ./...; \
	if [ "$$before" != "$$(git diff | cksum)" ]; then git --no-pager diff --stat; echo "go generate changed files: commit them" >&2; exit 1; fi
	$(GO) mod tidy -diff
	cd tools && $(GO) mod tidy -diff

$(LINT): tools/go.mod tools/go.sum
	cd tools && $(SPARING) $(GO) build -o ../$@ github.com/golangci/golangci-lint/v2/cmd/golangci-lint
	@touch $@

clean:
	rm -rf bin dist internal/web/dist/app
