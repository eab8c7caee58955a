#!/usr/bin/env bash
# What the VS Code extension and its tests need from the system. Node 24 and code-server come with `make`, into a cache.
set -euo pipefail
cd "$(dirname "$0")/.."

missing=()
command -v chromium >/dev/null || missing+=(chromium)
command -v npm >/dev/null || missing+=(nodejs npm)
# code-server builds native modules.
for package in g++ make pkg-config libsecret-1-dev libkrb5-dev libxkbfile-dev; do
  dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
done
.ci/install-system.sh "${missing[@]}"

# Debian's own Node may be older than the one that the extension is built with.
if [ "$(node -p 'parseInt(process.versions.node) >= 20')" != true ]; then
  case "$(uname -m)" in aarch64) machine=arm64 ;; *) machine=x64 ;; esac
  root=()
  [ "$(id -u)" = 0 ] || root=(sudo)
  "${root[@]}" npm install --global --silent "node-linux-$machine@24"
fi
