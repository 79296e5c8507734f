# Every target makes .venv where there is none, installs into it what it needs, and works in it. Nothing else is needed:
# no dot, no Node, no browser, no GPU. (What needs Node or a browser is left out where there is none, and says so; with
# CI=true it fails instead.) A second run installs nothing, unless pyproject.toml has changed since.

PYTHON ?= python3
# What development and CI use. `make test TORCH=torch==2.10.0` takes another, in a new .venv.
TORCH ?= torch==2.13.0
# Torch's CPU build. A plain `pip install torch` on Linux brings gigabytes of CUDA.
TORCH_INDEX ?= https://download.pytorch.org/whl/cpu
# More for the command: `make test ARGS="-k saved -x"`, `make bench ARGS=--help`.
ARGS ?=

# Builds and checks the viewer in frontend/. Its build is committed: whoever does not change it needs no Node.
NPM := $(shell command -v npm 2>/dev/null)
NO_NPM := $(if $(filter true,$(CI)),echo 'npm is missing' >&2; exit 1,echo 'frontend/ is left out: there is no npm')

BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check

.PHONY: help demo test check viewer bench
.DELETE_ON_ERROR:

help:
	@echo 'make demo    trace a small real model and leave pictures of its graph in demo/'
	@echo 'make test    run the tests'
	@echo 'make check   lint, format, types and import rules, of frontend/ too'
	@echo 'make viewer  build gradviz/view/static from frontend/ (needs Node)'
	@echo 'make bench   speed and memory, beside other tracers and layouts'

demo: .venv/installed
	@$(BIN)/gradviz demo --out demo $(ARGS)

test: .venv/installed-test
	$(BIN)/python -m pytest $(ARGS)

check: .venv/installed-dev $(if $(NPM),frontend/node_modules/.installed)
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo
	@$(if $(NPM),cd frontend && npm run --silent check,$(NO_NPM))

viewer: $(if $(NPM),frontend/node_modules/.installed)
	@$(if $(NPM),cd frontend && npm run --silent build,echo 'the viewer is built with Node: npm is missing' >&2; exit 1)

bench: .venv/installed-bench $(if $(NPM),frontend/node_modules/.installed benchmarks/frontend/node_modules/.installed)
	$(BIN)/python -m benchmarks $(ARGS)

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.version_info >= (3, 10) or sys.exit("gradviz needs Python 3.10 or newer and $(PYTHON) is " + sys.version.split()[0] + ": make PYTHON=python3.12 …")'
	$(PYTHON) -m venv .venv

# $(call install,WHAT) installs WHAT into .venv, torch first. A torch that is there is kept, whatever its build. An index
# that cannot be reached says so within a minute, at once where there is no network; then torch comes from wherever pip is
# set up to look. Torch's own dependencies come with gradviz's.
define install
@$(BIN)/python -m pip --version >/dev/null 2>&1 || $(BIN)/python -m ensurepip
@$(BIN)/python -c 'import importlib.util, sys; sys.exit(importlib.util.find_spec("torch") is None)' \
  || $(PIP) install --no-deps --retries 2 --timeout 15 --index-url $(TORCH_INDEX) '$(TORCH)' \
  || $(PIP) install '$(TORCH)'
@echo 'Installing gradviz ($(1)) into .venv …'
@$(PIP) install --quiet --editable '$(1)'
@touch $@
endef

.venv/installed: pyproject.toml | $(BIN)/python
	$(call install,.)

.venv/installed-%: pyproject.toml | $(BIN)/python
	$(call install,.[$*])

%/node_modules/.installed: %/package-lock.json
	cd $* && npm ci --no-audit --no-fund
	@touch $@
