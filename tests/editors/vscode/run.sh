#!/usr/bin/env bash
# Runs the tests of the VS Code extension: run.sh [TEST FILE...], all of them by default.
#
#   EDITORS     folder that keeps Node 24 and code-server (0.8 GB) between runs
#   VSIX        the extension to test
#   CHROMIUM    the browser; default: the first of chromium, chromium-browser, google-chrome on PATH
#   TORCH_PYTHON  a Python with the real torch, for one test
#   PICTURES    folder for the pictures of the README: they are taken, and no test is run
set -euo pipefail

CODE_SERVER=4.139.1
VSIX=$(realpath "$VSIX")
cd "$(dirname "$0")"
mkdir -p "$EDITORS"
EDITORS=$(realpath "$EDITORS")
export EDITORS

# code-server is built for one release of Node, and its native modules are built by it.
SCRIPTS=../../../vscode-extension/scripts
npm_config_nodedir=$($SCRIPTS/node24.sh)
export npm_config_nodedir PATH=$npm_config_nodedir/bin:$PATH
$SCRIPTS/keep.sh "$EDITORS/code-server-$CODE_SERVER" "code-server@$CODE_SERVER"

CHROMIUM=${CHROMIUM:-$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)}
[ -n "$CHROMIUM" ] || { echo "No Chromium found: install one, or name it in CHROMIUM" >&2; exit 1; }

export VSIX CHROMIUM
export CODE_SERVER_ENTRY=$EDITORS/code-server-$CODE_SERVER/node_modules/code-server/out/node/entry.js

[ -z "${PICTURES:-}" ] || exec node pictures.mjs

[ $# -gt 0 ] || set -- *.test.mjs *.test.mts
# Node reads the TypeScript of the extension as it is; that its package.json does not call it a module is as VS Code wants it.
exec node --disable-warning=MODULE_TYPELESS_PACKAGE_JSON --test --test-concurrency=1 --test-reporter=spec "$@"
