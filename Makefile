# Everything runs in .venv, which the first call makes. A second call installs nothing again
# unless pyproject.toml or constraints.txt changed.
PYTHON ?= python3
BIN := .venv/bin
# One for each core of the smallest machine that runs the suite; browsers and servers come on top.
PROCESSES ?= 2
# SLOWEST=10 prints the ten tests that took longest. AGAIN=1 runs what failed last, in one process.
PYTEST = $(BIN)/python -m pytest $(if $(SLOWEST),--durations=$(SLOWEST)) $(if $(AGAIN), \
	--last-failed --last-failed-no-failures=none,--numprocesses=$(PROCESSES) --dist=worksteal)
PIP := $(BIN)/python -m pip --disable-pip-version-check install --quiet --constraint constraints.txt

.PHONY: dashboard test test-slow faults fuzz bench bench-compare lint pictures docs
.DELETE_ON_ERROR:

dashboard: .venv/installed
	$(BIN)/corescore dashboard

# Tests and benchmarks start many processes: compiled once, even where PYTHONDONTWRITEBYTECODE is set.
test test-slow bench: export PYTHONDONTWRITEBYTECODE :=
test: .venv/installed-test .venv/chromium
	$(PYTEST) -m "not slow" --hypothesis-profile=quick

# With SLOW="slow and not long" as CI: without what takes minutes, and without the properties of
# `make test` on more examples.
SLOW ?= slow or hypothesis
test-slow: PROCESSES = 3  # they wait for browsers more than they compute
test-slow: .venv/installed-test .venv/chromium
	$(PYTEST) -m "$(SLOW)"

# Makes small faults in a copy, one at a time, and prints which of them no test finds; with RUN only
# those with one of its words in their name or file: make faults RUN="sweeps plots/"
faults: .venv/installed-test .venv/chromium
	$(BIN)/python -m tests.faults --processes $(PROCESSES) $(RUN)

# Damages everything that is read, for so many seconds; a fault is printed with its case.
SECONDS ?= 60
fuzz: .venv/installed-test
	$(BIN)/python -m tests.fuzzing $(SECONDS)

bench: .venv/installed-test .venv/chromium
	$(BIN)/python -m tests.benchmarks $(RUN)

# What became slower since the run in the file OLD: make bench-compare OLD=tests/benchmarks/results/…
bench-compare: .venv/installed-test
	$(BIN)/python -m tests.benchmarks --compare $(OLD)

pictures: .venv/installed-test .venv/chromium
	$(BIN)/python -m tests.pictures

# The documentation, into build/docs/index.html; each warning fails.
docs: .venv/installed-docs
	$(BIN)/python -m sphinx --fail-on-warning --keep-going --quiet -d build/doctrees docs build/docs

lint: .venv/installed-test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "corescore needs Python 3.11 or newer: make PYTHON=python3.12"; exit 1; }
	$(PYTHON) -m venv .venv

.venv/installed: .venv/bin/python pyproject.toml constraints.txt
	@echo "Installing corescore into .venv (about a minute, once)"
	$(PIP) --editable .
	@touch $@

.venv/installed-test: .venv/bin/python pyproject.toml constraints.txt
	@echo "Installing corescore and what its tests need into .venv (about a minute, once)"
	$(PIP) --editable '.[test]'
	@$(BIN)/python -m compileall -q corescore dashboard  # else each process of the tests does
	@touch .venv/installed $@

.venv/installed-docs: .venv/bin/python pyproject.toml constraints.txt
	@echo "Installing corescore and what its documentation needs into .venv (about a minute, once)"
	$(PIP) --editable '.[docs]'
	@touch .venv/installed $@

.venv/chromium: .venv/installed-test
	$(BIN)/python -m tests.support.chromium
	@touch $@
