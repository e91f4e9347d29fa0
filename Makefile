# One command file for people. Each target works alone on a fresh clone.

PYTHON ?= python3
JOBS ?= 2
OUT ?= corpus
# Where tests find the foreign systems that `make systems` installs; without them, their tests are skipped.
export DAVINCI_SYSTEMS ?= $(CURDIR)/.systems

BIN := .venv/bin
STAMP := .venv/.installed

.DEFAULT_GOAL := help
.PHONY: help setup demo systems test check format bench suites freeze mcp-conformance constraints clean

help:  ## list the targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/  make \1\t\2/' | expand -t 20

setup: $(STAMP)  ## make .venv with everything that the tests need

$(STAMP): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "davinci-env needs Python 3.11 or later: set PYTHON=python3.11" >&2; exit 2; }
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[dev,systems]'
	@touch $@

demo: $(STAMP)  ## generate a corpus of verified trajectories into $(OUT)/ (minutes)
	$(BIN)/davinci generate --out $(OUT) --jobs $(JOBS)

systems: $(STAMP)  ## install the systems that other people wrote, for their tests (minutes)
	$(BIN)/python -m davinci_env.egts install all

test: $(STAMP)  ## run the tests
	$(BIN)/python -m pytest -q -n $(JOBS)

check: $(STAMP)  ## lint, formatting, types, import directions
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo

format: $(STAMP)  ## rewrite the sources in the house format
	$(BIN)/ruff check --fix --quiet .
	$(BIN)/ruff format .

bench: $(STAMP)  ## measure speed against the hand-written floors
	$(BIN)/davinci bench

suites: $(STAMP)  ## certify every task of the frozen suites again
	@for suite in verifiers/*.jsonl; do $(BIN)/davinci check "$$suite" --jobs $(JOBS) || exit $$?; done

freeze: $(STAMP)  ## make the frozen suites anew, for the domains as they are now (minutes)
	$(BIN)/python scripts/freeze_suites.py --jobs $(JOBS)

mcp-conformance: $(STAMP)  ## run the MCP inspector and conformance scenarios (needs npm)
	bash scripts/mcp_conformance.sh

constraints: $(STAMP)  ## pin what .venv holds now into constraints.txt
	$(BIN)/python -m pip list --format freeze --disable-pip-version-check \
		--exclude davinci-env --exclude pip --exclude setuptools --exclude wheel > constraints.txt

clean:  ## remove .venv and caches
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
