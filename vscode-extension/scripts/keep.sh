#!/usr/bin/env bash
# Installs npm packages into a folder where there is none yet, whole or not at all: keep.sh FOLDER PACKAGE...
set -euo pipefail

folder=$1
shift
[ ! -d "$folder" ] || exit 0
echo "Fetching $*" >&2
mkdir -p "$(dirname "$folder")"
part=$(mktemp -d "$folder.part.XXXXXX")
if ! npm install --no-audit --no-fund --prefix "$part" "$@" >"$part/log" 2>&1; then
  tail -n 20 "$part/log" >&2
  rm -rf "$part"
  exit 1
fi
# Whoever comes second throws its copy away.
if [ -d "$folder" ]; then rm -rf "$part"; else mv "$part" "$folder"; fi
