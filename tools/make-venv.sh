#!/bin/sh
# usage: make-venv.sh DIR: a virtual environment in DIR, from $PYTHON (default python3), 3.11 or newer.
# Debian keeps the venv module in a package of its own: root gets it installed, anyone else is told its name.
set -eu
python=${PYTHON:-python3}
command -v "$python" >/dev/null || { echo "make-venv: no $python on this machine; install python3 (3.11 or newer)" >&2; exit 1; }
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || {
    echo "make-venv: $("$python" --version) is too old: Ludoteca needs Python 3.11 or newer (make PYTHON=...)" >&2; exit 1; }
if ! "$python" -c 'import ensurepip, venv' 2>/dev/null; then
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
        echo "make-venv: $python has no venv module: installing Debian's python3-venv" >&2
        apt-get update -qq
        DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends python3-venv >/dev/null
    else
        echo "make-venv: $python has no venv module; as root: apt-get install python3-venv" >&2
        exit 1
    fi
fi
rm -rf "$1"
"$python" -m venv "$1"
