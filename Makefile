# make refresh   set up .venv and run the main job over saero.toml
# make test      run the tests
# make check     formatting, types, house contract, tests
# make ui        the Dagster UI with the nightly schedule
# make bench     the benchmarks that carry a bar (bench-dedup: those of duplicates; bench-retrieval: those of search;
#                bench-cases, bench-parse: those over the shared case files; bench-crash: killed refreshes, full disks,
#                a year of nights, a reader beside refreshes; bench-incremental: what a refresh costs beside others;
#                bench-freshness: a year of canaries, mails and what search finds)
# make fuzz      ten minutes of damaged files through the parsers
# make lock      renew requirements.lock

PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check
CONFIG := $(if $(SAERO_CONFIG),$(SAERO_CONFIG),saero.toml)

.PHONY: refresh test check lint types house ui bench bench-dedup bench-retrieval bench-cases bench-parse bench-crash bench-incremental bench-freshness fuzz lock clean

refresh: .venv/.runtime
	$(BIN)/saero --config "$(CONFIG)" refresh

# Two processes need about 4 GB. A file stays in one of them: what its tests share is made once.
test: .venv/.dev
	$(BIN)/python -m pytest -n 2 --dist loadfile

check: lint types house
	$(MAKE) test

lint: .venv/.dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .

types: .venv/.dev
	$(BIN)/mypy

house: .venv/.dev
	$(BIN)/python -m pytest -q tests/test_house.py

ui: .venv/.runtime
	$(BIN)/saero --config "$(CONFIG)" ui

bench: .venv/.dev
	$(BIN)/python benchmarks/example_queries.py
	$(BIN)/python benchmarks/second_refresh.py
	$(BIN)/python benchmarks/dagster_dev.py
	$(BIN)/python benchmarks/hard_times.py

# Generated documents; installs a peer in an environment of its own below .venv.
bench-dedup: .venv/.dev
	$(BIN)/python benchmarks/dedup/run.py --venvs .venv/peers

# Reads KorQuAD (SAERO_EVAL, or ../shared/eval beside the checkout); the first run encodes for half an hour.
bench-retrieval: .venv/.dev
	@missed=0; for part in run chunk_identity locators calibrate cold scale; do \
		echo "python benchmarks/retrieval/$$part.py"; $(BIN)/python benchmarks/retrieval/$$part.py || missed=1; \
	done; exit $$missed

# Kills 500 refreshes and fills 50 disks (as root a small one of memory, else limits alone): half an hour on two cores.
bench-crash: .venv/.dev
	@missed=0; for part in "run.py --jobs 2" year.py readers.py; do \
		echo "python benchmarks/crash/$$part"; $(BIN)/python benchmarks/crash/$$part || missed=1; \
	done; exit $$missed

# Up to 100,000 documents, an hour and a half; installs each peer in an environment of its own below .venv.
bench-incremental: .venv/.dev
	@missed=0; for part in "run.py --venvs .venv/peers" scale.py first_load.py; do \
		echo "python benchmarks/incremental/$$part"; $(BIN)/python benchmarks/incremental/$$part || missed=1; \
	done; exit $$missed

# A team's year of canaries, mails and searches; the first run encodes for some minutes.
bench-freshness: .venv/.dev
	$(BIN)/python benchmarks/freshness_year/run.py

# Needs the shared case files (SAERO_CASES, or ../shared/cases beside the checkout).
bench-cases: .venv/.dev
	$(BIN)/python benchmarks/cases_refresh.py

# The same files; installs each peer in an environment of its own below .venv.
bench-parse: .venv/.dev
	$(BIN)/python benchmarks/parse_quality.py --venvs .venv/peers

fuzz: .venv/.dev
	$(BIN)/python benchmarks/fuzz.py --seconds 600

.venv/bin/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "saero needs Python 3.11 or newer; set PYTHON=python3.11")'
	$(PYTHON) -m venv .venv

.venv/.runtime: .venv/bin/python requirements.lock pyproject.toml
	$(PIP) install -qq --constraint requirements.lock --editable .
	touch $@

.venv/.dev: .venv/.runtime
	$(PIP) install -qq --constraint requirements.lock --editable '.[dev]'
	touch $@

lock:
	$(PYTHON) benchmarks/renew_lock.py

clean:
	rm -rf .venv
