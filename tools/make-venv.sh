#!/bin/sh
# usage: make-venv.sh DIR: make a virtual environment in DIR, from $PYTHON (default python3), 3.11 or newer.
# Debian has the venv module in a separate package. If root runs the script, it installs the package. Else it prints its name.
set -eu
. "${0%/*}/apt.sh"
python=${PYTHON:-python3}
command -v "$python" >/dev/null || { echo "make-venv: no $python on this machine; install python3 (3.11 or newer)" >&2; exit 1; }
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || {
    echo "make-venv: $("$python" --version) is too old: Ludoteca needs Python 3.11 or newer (make PYTHON=...)" >&2; exit 1; }
if ! "$python" -c 'import ensurepip, venv' 2>/dev/null; then
    if can_install; then
        echo "make-venv: $python has no venv module. You are root, so this installs Debian's python3-venv on your system" >&2
        install python3-venv || { echo "make-venv: apt-get failed: $output" >&2; exit 1; }
    else
        echo "make-venv: $python has no venv module; as root: apt-get install python3-venv" >&2
        exit 1
    fi
fi
rm -rf "$1"
"$python" -m venv "$1"
