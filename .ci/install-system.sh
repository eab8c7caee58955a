#!/usr/bin/env bash
# Installs the Debian packages it is given, if any.
set -euo pipefail
[ $# -gt 0 ] || exit 0
root=()
[ "$(id -u)" = 0 ] || root=(sudo)
"${root[@]}" apt-get -o DPkg::Lock::Timeout=300 update -qq
"${root[@]}" env DEBIAN_FRONTEND=noninteractive \
  apt-get -o DPkg::Lock::Timeout=300 install -y -qq --no-install-recommends "$@"
