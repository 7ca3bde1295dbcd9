#!/bin/sh
# usage: install-services.sh: Debian's programs that tests run for real. Root gets what is missing installed; anyone else
# is told its name, and the tests that need it are skipped and say so.
set -eu
missing=""
need() {  # need COMMAND PACKAGE
    command -v "$1" >/dev/null || missing="$missing $2"
}
need swipl swi-prolog-nox
[ -n "$missing" ] || exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    echo "install-services: installing$missing" >&2
    apt-get update -qq
    # shellcheck disable=SC2086  # a list of words
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >/dev/null
else
    echo "install-services: not installed, so tests that need them are skipped; as root: apt-get install$missing" >&2
fi
