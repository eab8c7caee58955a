# The VS Code extension, and its tests in a real VS Code: code-server with Chromium, in a cache folder outside the checkout.
EDITORS ?= $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/fxgraph-editors
VSCODE_VERSION := $(shell sed -n 's/^  "version": "\(.*\)",/\1/p' vscode-extension/package.json)
VSIX := vscode-extension/fxgraph-$(VSCODE_VERSION).vsix
VSCODE_TESTS := tests/editors/vscode

# Node 20 or newer builds the extension: the one on PATH, else Node 24 from the cache folder. For recipes: $(NODE) && npm ...
NODE = if ! node -e 'process.exit(Number(parseInt(process.versions.node) < 20))' 2>/dev/null; then \
  node24=$$(EDITORS=$(EDITORS) $(CURDIR)/vscode-extension/scripts/node24.sh) && PATH=$$node24/bin:$$PATH; fi

# The Python that `make test` gave a torch, if it was there.
TORCH_PYTHON ?= $(if $(wildcard $(VENV)/.stamp-test),$(abspath $(VENV))/bin/python)

.PHONY: vsix test-editors-vscode pictures
vsix: $(VENV)/.stamp vscode-extension/node_modules/.package-lock.json
	@$(NODE) && cd vscode-extension && npm run --silent check && npm run --silent bundle
	@$(VENV)/bin/python vscode-extension/scripts/bundle.py
	@$(NODE) && cd vscode-extension && npm run --silent package -- --out $(notdir $(VSIX))
	@ls -l $(VSIX) | awk '{printf "$(VSIX): %.1f MB\n", $$5 / 1e6}'

test-editors-vscode: vsix $(VSCODE_TESTS)/node_modules/.package-lock.json
	@EDITORS=$(EDITORS) VSIX=$(VSIX) TORCH_PYTHON=$(TORCH_PYTHON) $(VSCODE_TESTS)/run.sh

# The pictures of the README, of the sample dump in a real VS Code, dark and light.
PICTURES ?= $(CURDIR)/docs/pictures
pictures: vsix $(VSCODE_TESTS)/node_modules/.package-lock.json
	@mkdir -p $(PICTURES)
	@EDITORS=$(EDITORS) VSIX=$(VSIX) PICTURES=$(PICTURES) $(VSCODE_TESTS)/run.sh

%/node_modules/.package-lock.json: %/package-lock.json
	@$(NODE) && cd $* && npm ci --silent
	@touch $@
