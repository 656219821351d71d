# One target per intention. `make` alone lists them.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed
DEVELOPING := $(VENV)/.developing
EXTRAS := dask docs env parsl peers png tables
# Where PYTHONDONTWRITEBYTECODE is set, the libraries have bytecode but a checkout has
# none, and each start of a program would compile it anew.
KEEP_BYTECODE := $(BIN)/python -m compileall -q daide_server
COMMA := ,
EMPTY :=
SPACE := $(EMPTY) $(EMPTY)

.DEFAULT_GOAL := help

.PHONY: help
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*##/ { printf "%-15s%s\n", $$1, $$2 }' $(MAKEFILE_LIST)

$(INSTALLED): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(None if sys.version_info >= (3, 11) else \
		"Python 3.11 or newer is needed; this one is " + sys.version.split()[0] + \
		". Name another one: make PYTHON=python3.12")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check --editable .
	@$(KEEP_BYTECODE)
	@touch $@

$(DEVELOPING): $(INSTALLED) requirements/dev.lock
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[dev]' \
		--constraint requirements/dev.lock
	@touch $@

.PHONY: extras
extras: $(DEVELOPING) ## install what optional features and their tests need
	$(BIN)/pip install --quiet --disable-pip-version-check \
		--editable ".[dev,$(subst $(SPACE),$(COMMA),$(EXTRAS))]" \
		--constraint requirements/dev.lock

.PHONY: bytecode
bytecode: $(INSTALLED)
	@$(KEEP_BYTECODE)

.PHONY: play
play: bytecode ## watch seven bots play a whole game over TCP
	$(BIN)/daide-server play --web 127.0.0.1:0

.PHONY: serve
serve: bytecode ## run the server with the defaults of config/server.toml
	$(BIN)/daide-server serve

.PHONY: test
test: $(DEVELOPING) bytecode ## run the tests
	$(BIN)/pytest -n auto -m 'not long'

.PHONY: test-long
test-long: $(DEVELOPING) bytecode ## run the slow tests as well, with examples drawn anew
	DAIDE_SERVER_TEST_RANDOM=1 $(BIN)/pytest -n auto

SEEDS ?= 10000

.PHONY: simulate
simulate: $(DEVELOPING) bytecode ## play SEEDS games on a simulated clock, network and disk
	$(BIN)/python -m tests.simulation --seeds $(SEEDS)

COVERAGE ?= 94
PURE_COVERAGE ?= 97
PURE := advice atlas board bots/lines daide game judge pictures records scoring settings text

.PHONY: coverage
coverage: $(DEVELOPING) bytecode ## measure which lines and branches the tests reach; a gate
	$(BIN)/pytest -n auto -m 'not long' --cov --cov-report=
	$(BIN)/coverage report --skip-covered --sort=cover --fail-under=$(COVERAGE)
	$(BIN)/coverage report --skip-covered --format=total \
		--fail-under=$(PURE_COVERAGE) \
		--include=$(subst $(SPACE),$(COMMA),$(PURE:%=daide_server/%/*))

.PHONY: check
check: $(DEVELOPING) ## format, lint, types, import contracts
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

.PHONY: format
format: $(DEVELOPING) ## put the code in order
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

.PHONY: settings
settings: $(INSTALLED) ## write config/server.toml and tables of settings
	$(BIN)/python tools/write_settings.py

.PHONY: api
api: $(DEVELOPING) ## write docs/public-api.txt, the list of what is public
	$(BIN)/python -m tests.support.public_api

.PHONY: pyright
pyright: $(DEVELOPING) ## check the types of what is public with a second type checker
	$(BIN)/pip install --quiet --disable-pip-version-check pyright
	$(BIN)/pyright --pythonpath $(BIN)/python --project tests/typing

.PHONY: protocol
protocol: $(INSTALLED) ## write the tables of docs/protocol.md and lines.md, and the schema
	$(BIN)/python tools/write_protocol.py
	$(BIN)/python tools/write_lines.py

.PHONY: scenes
scenes: $(INSTALLED) ## write the table of scenes of docs/examine.md
	$(BIN)/python tools/write_scenes.py

MESSAGES ?= 10000000

.PHONY: fuzz
fuzz: $(DEVELOPING) ## storm games with MESSAGES messages, and count them
	$(BIN)/python -m tests.support.fuzzing --messages $(MESSAGES)

KILLS ?= 1000

.PHONY: kill-loop
kill-loop: $(DEVELOPING) ## kill a server KILLS times, and look for what is missing
	$(BIN)/python -m tests.support.killing --kills $(KILLS)

MUTANTS ?= 60
SECONDS ?= 300

.PHONY: mutants
mutants: $(DEVELOPING) ## change MUTANTS places of each core package; do the tests notice?
	$(BIN)/python tools/mutants.py --mutants $(MUTANTS) --seconds $(SECONDS)

.PHONY: bench
bench: $(DEVELOPING) ## measure, and print ratios
	$(BIN)/python bench/run.py

.PHONY: diagrams
diagrams: $(DEVELOPING) ## write the diagrams that docs/ shows of tables in the code
	$(BIN)/python tools/write_diagrams.py

.PHONY: screenshot
screenshot: $(DEVELOPING) ## take the picture of the page that README shows
	DAIDE_SERVER_SCREENSHOTS=docs/pictures $(BIN)/pytest -q tests/browser -k screenshot

.PHONY: docs
docs: $(INSTALLED) requirements/dev.lock ## build the site into build/site; warnings are errors
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[docs]' \
		--constraint requirements/dev.lock
	$(BIN)/sphinx-build -W --keep-going -q -b html docs build/site

.PHONY: changelog
changelog: $(DEVELOPING) ## move the fragments of changes/ into CHANGELOG.md
	$(BIN)/towncrier build --yes \
		--version "$$($(BIN)/python -c 'import daide_server as d; print(d.__version__)')"

.PHONY: release-check
release-check: $(DEVELOPING) ## build the distributions, and try them on each Python here
	$(BIN)/python tools/release_check.py

COMPILE := $(VENV)-lock/bin/uv pip compile --quiet --universal --no-emit-index-url --no-header
HASHED := $(COMPILE) --generate-hashes --constraint requirements/dev.lock

.PHONY: lock
lock: ## write down the versions of tests and checks, and the hashes of the image's
	$(PYTHON) -m venv $(VENV)-lock
	$(VENV)-lock/bin/pip install --quiet --disable-pip-version-check uv
	$(COMPILE) --upgrade --all-extras pyproject.toml --output-file requirements/dev.lock
	$(HASHED) pyproject.toml --output-file requirements/image.lock
	echo 'hatchling' | $(HASHED) - --output-file requirements/image-build.lock
	rm -rf $(VENV)-lock

.PHONY: clean
clean: ## remove what was built
	rm -rf $(VENV) build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis
