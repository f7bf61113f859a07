# Two commands matter: `make run` serves Earshot on this machine, `make test` runs the tests.
# All targets are safe to repeat; finished steps are skipped.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
UV_VERSION := 0.13.8
URL ?= http://127.0.0.1:7860
KILLS ?= 20000
SEED ?= 1
ORDER ?= 1
ADVISORIES ?= advisories
NPM := PATH="$(CURDIR)/$(BIN):$$PATH" npm
PYTEST := $(BIN)/python -m pytest -n 2 --dist loadfile --no-loadscope-reorder -p randomly --randomly-seed=$(ORDER)

.DEFAULT_GOAL := help

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

$(BIN)/uv:
# uv installs everything else, so the environment gets no pip of its own: copying one takes longer than all of uv.
	$(PYTHON) -m venv --without-pip $(VENV)
	$(PYTHON) -m pip --python $(BIN)/python install --quiet --disable-pip-version-check uv==$(UV_VERSION) || \
		{ $(PYTHON) -m venv --clear $(VENV) && $(BIN)/python -m pip install --quiet uv==$(UV_VERSION); }

$(VENV)/.installed: requirements.lock | $(BIN)/uv
	$(BIN)/uv pip install --quiet --python $(BIN)/python --require-hashes --requirement requirements.lock
	@touch $@

$(VENV)/.installed-dev: requirements-dev.lock $(VENV)/.installed
	$(BIN)/uv pip install --quiet --python $(BIN)/python --require-hashes --requirement requirements-dev.lock
	@touch $@

setup: $(VENV)/.installed ## Make the virtual environment and install what the product needs

run: setup ## Serve on http://127.0.0.1:7860, with data in ./data
	$(BIN)/python app.py

# The scripts' tests run while pytest collects, which leaves a core idle now and then.
test: $(VENV)/.installed-dev ## Run all tests except the soak, those in a real browser included (ORDER=… shuffles them)
	@sh tests/install-browser.sh
	@$(MAKE) --no-print-directory --jobs 2 test-js test-python

test-python: $(VENV)/.installed-dev ## Run the tests in Python: all of `make test` but those of the page's scripts
	$(PYTEST)

check: ## Check style, types, architecture rules and unit tests: two minutes
	@$(MAKE) --no-print-directory --jobs 2 --output-sync lint test-js
	$(PYTEST) -m unit tests/unit

soak: $(VENV)/.installed-dev ## Run all tests with many more cases, and kill processes 22,000 times (KILLS=…, SEED=…)
	@sh tests/install-browser.sh
	$(PYTEST) --soak --kills $(KILLS) --kill-seed $(SEED)

# Node comes from a wheel; npm's scripts look for it on the path.
node_modules/.installed: package-lock.json $(VENV)/.installed-dev
	$(NPM) ci --silent
	@touch $@

test-js: node_modules/.installed ## Run the tests of the page's scripts
	$(NPM) test --silent

# mypy gives its workers 3 s to start and ends with 2 where a busy machine takes longer; with 1 it has found a wrong type.
lint: $(VENV)/.installed-dev node_modules/.installed ## Check style and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy --num-workers 2 || { [ $$? = 2 ] && $(BIN)/mypy; }
	$(NPM) run --silent lint
	$(NPM) run --silent types

bench: $(VENV)/.installed-dev ## Measure speed, print a table, write bench/results.json
	$(BIN)/python -m bench

screenshots: $(VENV)/.installed-dev ## Picture every tab of a running server (URL=…) into screenshots/
	@sh tests/install-browser.sh
	$(BIN)/python -m bench.screenshots --url $(URL) --out screenshots

lock: $(BIN)/uv ## Resolve requirements*.in into the pinned files
	$(BIN)/uv pip compile --quiet --no-header --generate-hashes requirements.in --output-file requirements.lock
	$(BIN)/uv pip compile --quiet --no-header --no-annotate -c requirements.lock requirements.in --output-file requirements.txt
	$(BIN)/uv pip compile --quiet --no-header --generate-hashes requirements-dev.in --output-file requirements-dev.lock

sbom: $(VENV)/.installed-dev ## Write what the product installs as CycloneDX, into sbom.cdx.json
	$(BIN)/python -m bench.supply_chain sbom

licences: $(VENV)/.installed-dev ## Write docs/licences.md from the pinned files
	$(BIN)/python -m bench.supply_chain licences

audit: $(VENV)/.installed-dev ## Look for the pinned versions in files of vulnerabilities, offline (ADVISORIES=…)
	$(BIN)/python -m bench.supply_chain audit $(ADVISORIES)

.PHONY: help setup run test test-python check soak test-js lint bench screenshots lock sbom licences audit
