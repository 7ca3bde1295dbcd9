# make play      set everything up and play in the browser
# make test      set everything up, check style and types, run the tests that are not slow, and a list of slow ones from end to
#                end (two cores: 3 to 6 minutes). At the end it prints what was skipped, and how to add it
# make test-slow run the other slow tests (two cores: 8 to 15 minutes)
# make check     check style and types, run the quick tests that need no service, print figures of the structure (1 to 3 minutes)
# make prose     count habits that make prose hard to read
# make soak      run the long tests, each part within its budget (85 minutes): a hundred kills, random frames and requests, twin
#                worlds, spoilt files and lines for every reader, thousands of games under every law, the quick tests with the
#                lowest and with the newest versions of all dependencies, and the short form of `same`.
#                ARGS="--share 0.3 server laws" runs two parts, shorter
# make versions  as root, run the quick tests with Debian's Pythons 3.13 and 3.14 in temporary folders, then the steps of the
#                Containerfile and its server (10 minutes). ARGS="3.14 container" runs two of the three
# make same OLD=COMMIT  compare the behaviour of the checkout with that of an older commit (some 10 minutes)
# make examples  clone the repository and run the examples of README and docs in the clone (an hour and a half)
# make mutants   change our own code, and print the changes that its quick tests do not notice (40 minutes). For example,
#                ARGS="--seed 2 core" passes options
# make release   check that this version can be published, and build it: the wheel, the sdist, the games without a server, and the
#                documentation. It runs an example of each command with the wheel alone. ARGS="build contents" runs only these
#                checks (two cores: 5 to 8 minutes)
# make docs      build the documentation as a site in build/site, with the rules of the games and a reference
# make pictures  draw the moving picture of the README again, in a light and a dark version
# make audit     print known vulnerabilities of the locked dependencies. If no service answers, print outdated versions
# make lock      lock the newest versions of the dependencies that are at least seven days old
# make clean     remove environments, caches and builds
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
AUDIT := .venv-audit
RELEASE := .venv-release
EXAMPLE := examples/okupacio
# compile the rules and searches of agents while the person looks at the lobby
WARM = nice $(BIN)/ludoteca warm </dev/null >/dev/null 2>&1
# four processes for two processors, because half of them wait for browsers and servers. Of the slow tests more wait
PYTEST = $(BIN)/pytest -n 4
PYTEST_SLOW = $(BIN)/pytest -n 5
# tests start hundreds of processes, which share compiled modules
unexport PYTHONDONTWRITEBYTECODE

.PHONY: play test test-slow check prose mutants soak same versions lowest newest examples release docs pictures audit audit-tools services page lint quick usual lock clean

play: $(VENV)/.ready-build
	@if [ -t 0 ] && [ -t 1 ]; then $(WARM) & exec $(BIN)/ludoteca serve; \
	else cd $(EXAMPLE) && exec ../../$(BIN)/ludoteca console okupacio < example.in; fi

# checks of style and types run at the same time as the tests
test: services page $(VENV)/.ready-dev
	@$(MAKE) --no-print-directory --jobs=2 lint usual

test-slow: services page $(VENV)/.ready-dev
	$(PYTEST_SLOW) -m "slow and not end_to_end"

check: $(VENV)/.ready-dev
	@$(MAKE) --no-print-directory --jobs=2 lint quick
	@$(BIN)/python tools/structure.py

prose: $(VENV)/.ready-dev
	@$(BIN)/python tools/prose.py

soak: services $(VENV)/.ready-dev
	@$(BIN)/python tools/soak.py $(ARGS)

same: services $(VENV)/.ready-dev
	@test -n "$(OLD)" || { echo "same: name the older commit, as in make same OLD=HEAD~1" >&2; exit 2; }
	$(BIN)/python -m tools.same $(OLD)

versions: $(VENV)/bin/python
	@$(BIN)/python tools/versions.py $(ARGS)

lowest newest: $(VENV)/.ready-dev audit-tools
	sh tools/try-versions.sh $@

examples: services $(VENV)/.ready-dev
	$(BIN)/pytest -m examples

release: page $(VENV)/.ready-dev $(RELEASE)/.ready
	@$(BIN)/python tools/release.py $(ARGS)

# like the audit's, these tools are no dependencies of the project
$(RELEASE)/.ready: requirements/release.txt
	@PYTHON="$(PYTHON)" sh tools/make-venv.sh $(RELEASE)
	@$(RELEASE)/bin/pip install --quiet --require-hashes -r $<
	@touch $@

docs: $(VENV)/.ready-dev
	@$(BIN)/python tools/site.py

mutants: $(VENV)/.ready-dev
	$(BIN)/python tools/mutants.py $(ARGS)

pictures: $(VENV)/.ready-dev
	$(BIN)/python tools/draw_game.py

# programs that check the page. Tests that need them are skipped if npm is missing or cannot reach its registry
page: web/node_modules/.package-lock.json web/wheels/.ready

web/node_modules/.package-lock.json: web/package-lock.json
	@if ! command -v npm >/dev/null; then why="no npm"; \
	elif npm ci --prefix web --loglevel=error --no-audit --no-fund >/dev/null; then touch $@; else why="npm ci failed"; fi; \
	[ -z "$$why" ] || echo "page: $$why, so tests of the page's types and accessibility are skipped" >&2

# packages of a page's Python, for the tests that play in Node
web/wheels/.ready: web/wheels.txt $(VENV)/.ready-dev
	@mkdir -p web/wheels && rm -f web/wheels/*.whl
	@if $(BIN)/python -m pip download --quiet --require-hashes --no-deps --only-binary=:all: --implementation cp --abi cp314 \
	  --python-version 314 --platform pyemscripten_2026_0_wasm32 --dest web/wheels --requirement $<; then touch $@; \
	else echo "page: pip cannot download $<, so the tests of games in a page are skipped" >&2; fi

lint: $(VENV)/.ready-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# the audit's tools have a separate environment, because they are no dependencies of the project
audit: $(VENV)/.ready-dev audit-tools
	@if test -x $(AUDIT)/bin/pip-audit; then $(AUDIT)/bin/python tools/audit.py; \
	else echo "audit: pip-audit cannot be installed here, so no dependency was checked" >&2; fi

audit-tools: $(VENV)/bin/python
	@test -x $(AUDIT)/bin/pip-audit || { "$(PYTHON)" -m venv $(AUDIT) && $(AUDIT)/bin/pip install --quiet pip-audit uv; } || true

services:
	@sh tools/install-services.sh

quick: $(VENV)/.ready-dev
	$(PYTEST) -m "not slow and not services"

usual: $(VENV)/.ready-dev
	$(PYTEST) -m "not slow or end_to_end"

$(VENV)/bin/python:
	@PYTHON="$(PYTHON)" sh tools/make-venv.sh $(VENV)

# `dev` contains `build`, so `make play` needs nothing more. compileall uses all processors, and pip only one. Like pip, it
# leaves files that it cannot compile, such as templates
$(VENV)/.ready-%: $(VENV)/bin/python requirements/%.txt pyproject.toml
	@echo "Setting up $(VENV) (once)" >&2
	@$(BIN)/python -m pip install --quiet --no-compile --require-hashes -r requirements/$*.txt
	@$(BIN)/python -m compileall -qq -j 0 $(VENV)/lib || true
	@$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation --editable .
	@touch $(VENV)/.ready-build $@

# the tools of a release are those of the build, and two that check it
LOCK = $(AUDIT)/bin/uv pip compile --universal --python-version 3.11 --exclude-newer "7 days" --generate-hashes --no-header \
  --upgrade --quiet
lock: audit-tools
	for set in build container dev; do $(LOCK) pyproject.toml --extra $$set --output-file requirements/$$set.txt || exit 1; done
	printf '%s\n' check-wheel-contents hatch-fancy-pypi-readme hatchling twine | \
	  $(LOCK) - --constraint requirements/build.txt --output-file requirements/release.txt

clean:
	rm -rf $(VENV) $(AUDIT) $(RELEASE) .venv-lowest .venv-newest build .mypy_cache .ruff_cache .pytest_cache .hypothesis dist
