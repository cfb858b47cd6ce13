# Every target works on a fresh clone with nothing but Python >= 3.11 and a package index.
.DEFAULT_GOAL := help
.PHONY: help demo test test-minimal test-pythons lint types cover format bench fuzz docs refresh dist clean

# The newest interpreter that really starts: a version manager leaves names in the path with nothing behind them.
PYTHON ?= $(shell for python in python3.14 python3.13 python3.12 python3.11 python3 python; do \
	"$$python" -c 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1 \
	&& { command -v "$$python"; break; }; done)

VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
WORKERS ?= 2
BENCH_ARGS ?=
FUZZ_SECONDS ?= 120

help:  ## list the targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## */\t/' | expand -t 14

# `clean` is the way to another interpreter; a stamp is renewed when the metadata changes.
$(BIN)/python:
	@python="$(PYTHON)"; test -n "$$python" || { echo "no Python >= 3.11 with venv found; set PYTHON=…" >&2; exit 2; }; \
	"$$python" -m venv $(VENV)

$(VENV)/.package: pyproject.toml | $(BIN)/python
	$(PIP) install --editable .
	@touch $@

$(VENV)/.tools: pyproject.toml | $(BIN)/python
	$(PIP) install --editable '.[dev]'
	@touch $@ $(VENV)/.package

$(VENV)/.docs: pyproject.toml | $(BIN)/python
	$(PIP) install --editable '.[docs]'
	@touch $@ $(VENV)/.package

demo: $(VENV)/.package  ## install, then lint a Postgres that was put on EFS
	@echo '$$ efslint fixtures/postgres-on-efs'
	@$(BIN)/efslint fixtures/postgres-on-efs; status=$$?; \
	test $$status -eq 1 || { echo "expected findings (exit 1), got exit $$status" >&2; exit 1; }

test: lint types cover  ## everything that CI checks

# These keep environments of their own. What builds packages needs an index once more each, and is left out.
test-minimal:  ## the tests with the lowest versions of what efslint needs, which were made for Python 3.11
	$$(command -v python3.11 || echo "$(PYTHON)") -m venv $(VENV)-minimal
	$(VENV)-minimal/bin/python -m pip --disable-pip-version-check --quiet install -c tests/minimal.txt --editable '.[test]'
	$(VENV)-minimal/bin/python -m pytest -n $(WORKERS) -m 'not slow'

test-pythons:  ## the tests with every Python from 3.11 on that is here
	@for python in $(addprefix python3.,11 12 13 14) $$(ls -d ~/.pyenv/versions/3.1[1-9].*/bin/python 2>/dev/null); do \
		version=$$("$$python" -c 'import ensurepip, sys, venv; print("%d.%d" % sys.version_info[:2])' 2>/dev/null) \
			|| { echo "$$python: not here, left out"; continue; }; \
		case " $$seen " in *" $$version "*) continue ;; esac; seen="$$seen $$version"; \
		echo "Python $$version"; \
		"$$python" -m venv "$(VENV)-$$version" \
		&& "$(VENV)-$$version/bin/python" -m pip --disable-pip-version-check --quiet install --editable '.[test]' \
		&& "$(VENV)-$$version/bin/python" -m pytest -n $(WORKERS) -m 'not slow' || exit 1; \
	done

lint: $(VENV)/.tools  ## style
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.tools  ## mypy --strict
	$(BIN)/mypy

cover: $(VENV)/.tools  ## the tests, with every branch covered
	$(BIN)/python -m pytest -n $(WORKERS) --cov --cov-report=term-missing:skip-covered

format: $(VENV)/.tools  ## rewrite the code in the project's style
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# What people install is a wheel, which loads faster than a checkout; so that is what is measured.
bench: | $(BIN)/python  ## measure against the budgets, write bench/results.json
	$(BIN)/python -m venv $(VENV)-bench
	$(VENV)-bench/bin/python -m pip --disable-pip-version-check --quiet install --force-reinstall --no-deps .
	$(VENV)-bench/bin/python -m pip --disable-pip-version-check --quiet install .
	$(VENV)-bench/bin/python bench/bench.py $(BENCH_ARGS)

# atheris has wheels for Linux on x86-64, and not for the newest Python.
fuzz: $(VENV)/.tools  ## look for inputs that break efslint, FUZZ_SECONDS for each target
	$(PIP) install atheris
	fuzz/run.sh $(BIN)/python $(FUZZ_SECONDS)
	EFSLINT_EXAMPLES=1000 $(BIN)/python -m pytest -q -n $(WORKERS) tests/test_properties_manifests.py

# The variable silences a notice of the theme about later versions of the site builder.
docs: $(VENV)/.docs  ## build the site in build/site; warnings are errors
	$(BIN)/python docs/assemble.py build/docs
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet --strict --clean --config-file build/docs/mkdocs.yml
	@echo "build/site/index.html"

refresh: $(VENV)/.tools  ## run what the documentation shows again: README, docs/pages, share/
	$(BIN)/python docs/refresh.py

# The time of the commit goes into the archives, so that who builds it again gets the same bytes.
dist: $(VENV)/.tools  ## the wheel and the source archive, checked
	rm -rf dist
	SOURCE_DATE_EPOCH=$${SOURCE_DATE_EPOCH:-$$(git log -1 --format=%ct)} $(BIN)/python -m build --quiet
	$(BIN)/twine check --strict dist/*

clean:  ## remove everything that the other targets made
	rm -rf $(VENV) $(VENV)-* build dist .coverage .coverage.* .mypy_cache .pytest_cache .ruff_cache .hypothesis bench/.cache \
		fuzz/corpus fuzz/finds
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
