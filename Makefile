# Two commands matter: `make run` serves Earshot on this machine, `make test` runs every test.
# All of these are safe to repeat; what is already there is not made again.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
UV_VERSION := 0.13.8
URL ?= http://127.0.0.1:7860
KILLS ?= 20000
SEED ?= 1

.DEFAULT_GOAL := help

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

$(BIN)/uv:
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check uv==$(UV_VERSION)

$(VENV)/.installed: requirements.txt | $(BIN)/uv
	$(BIN)/uv pip install --quiet --python $(BIN)/python --require-hashes --requirement requirements.txt
	@touch $@

$(VENV)/.installed-dev: requirements-dev.txt $(VENV)/.installed
	$(BIN)/uv pip install --quiet --python $(BIN)/python --require-hashes --requirement requirements-dev.txt
	@touch $@

setup: $(VENV)/.installed ## Make the virtual environment and install what the product needs

run: setup ## Serve on http://127.0.0.1:7860, with data in ./data
	$(BIN)/python app.py

test: $(VENV)/.installed-dev ## Run every test, the real-browser ones included
	@sh tests/install-browser.sh
	$(BIN)/python -m pytest -n 2 --dist loadfile --no-loadscope-reorder

soak: $(VENV)/.installed-dev ## Kill evaluator and intake 22,000 times (KILLS=…, SEED=…) and check what must hold
	$(BIN)/python -m pytest tests/faults/test_killed_at_random.py --kills $(KILLS) --kill-seed $(SEED)

lint: $(VENV)/.installed-dev ## Check style and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: $(VENV)/.installed-dev ## Measure speed, print a table, write bench/results.json
	$(BIN)/python -m bench

screenshots: $(VENV)/.installed-dev ## Picture every tab of a running server (URL=…) into screenshots/
	@sh tests/install-browser.sh
	$(BIN)/python -m bench.screenshots --url $(URL) --out screenshots

lock: $(BIN)/uv ## Resolve requirements*.in anew into the pinned files
	$(BIN)/uv pip compile --quiet --no-header --generate-hashes requirements.in --output-file requirements.txt
	$(BIN)/uv pip compile --quiet --no-header --generate-hashes requirements-dev.in --output-file requirements-dev.txt

.PHONY: help setup run test soak lint bench screenshots lock
