# make run     try fxgraph on a real dump; make run DUMP=path on your own
# make test    every check that needs no editor
# make fuzz    half an hour of spoiled dumps for the readers; make fuzz SECONDS=60 for a minute
# make bench   fxgraph beside other language servers; BENCH="servers --sizes 1000" for a part
# make test-editors   the plugins inside real VS Code, Neovim and Emacs
# make vsix    build the VS Code extension
# make pictures   take the pictures of the README anew
# make clean   remove what these made

PYTHON ?= python3
VENV := .venv
PIP := $(VENV)/bin/python -m pip --disable-pip-version-check
DUMP ?= fixtures/2.13.0/mlp.export.program.txt

.PHONY: run test fuzz bench test-editors clean
.DEFAULT_GOAL := run

run: $(VENV)/.stamp-run
	@$(VENV)/bin/python scripts/tour.py "$(DUMP)"

test: $(VENV)/.stamp-test
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/mypy
	$(VENV)/bin/pytest -n auto --maxprocesses 4 --dist loadfile -m 'not alone'
	$(VENV)/bin/pytest -m alone

SECONDS ?= 1800

fuzz: $(VENV)/.stamp-test
	FXGRAPH_FUZZ_SECONDS=$(SECONDS) $(VENV)/bin/pytest -s tests/reading/test_mutations.py tests/reading/test_linear_time.py

bench: $(VENV)/.stamp-test
	@PYTHONPATH=tests $(VENV)/bin/python -m benchmarks $(BENCH)

include neovim/neovim.mk
include vscode-extension/vscode.mk

test-editors: test-editors-neovim test-editors-vscode

clean:
	rm -rf $(VENV) dist build .pytest_cache .mypy_cache .ruff_cache .hypothesis neovim/doc/tags
	rm -rf vscode-extension/node_modules vscode-extension/dist vscode-extension/*.vsix $(VSCODE_TESTS)/node_modules
	rm -rf vscode-extension/bundled/libs vscode-extension/bundled/server
	find server tests scripts benchmarks -name __pycache__ -type d -prune -exec rm -rf {} +

# The stamps say that an environment is complete: one that was cut off while it was made is made again.
$(VENV)/.stamp:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10))' 2>/dev/null || \
	  { echo "fxgraph needs Python 3.10 or newer; $(PYTHON) is another or is missing: make ... PYTHON=python3.12"; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || \
	  { echo "$(PYTHON) has no venv module; on Debian and Ubuntu: apt install python3-venv"; exit 1; }
	@echo "Making a virtual environment in $(VENV)"
	@$(PYTHON) -m venv --clear $(VENV)
	@$(PIP) install -qq 'pip>=25.1,<26.2'
	@touch $@

$(VENV)/.stamp-run: $(VENV)/.stamp pyproject.toml
	@echo "Installing fxgraph"
	@$(PIP) install -qq --editable .
	@touch $@

$(VENV)/.stamp-test: $(VENV)/.stamp-run pyproject.toml
	@echo "Installing what the tests need, PyTorch among it"
	@$(PIP) install -qq --group test
	@touch $@
