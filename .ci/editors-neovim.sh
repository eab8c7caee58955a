#!/usr/bin/env bash
# What the tests of the Neovim and Emacs plugins need from the system. Neovim itself comes with `make`.
set -euo pipefail
cd "$(dirname "$0")/.."

command -v emacs >/dev/null || .ci/install-system.sh emacs-nox
# Emacs 29 brings eglot along; before that it is a package of its own.
emacs -q --batch --eval '(progn (package-initialize) (require (quote eglot)))' 2>/dev/null ||
  .ci/install-system.sh elpa-eglot
