#!/bin/sh
# usage: install-services.sh: Debian's programs that tests run for real. Root gets what is missing installed; anyone else
# is told its name, and the tests that need it are skipped and say so.
set -eu
missing=""
need() {  # need PACKAGE PROGRAM...: any of these programs shows that it is there
    package=$1; shift
    for program; do command -v "$program" >/dev/null && return; done
    missing="$missing $package"
}
need swi-prolog-nox swipl
need chromium-headless-shell chromium-headless-shell
need bubblewrap bwrap
need gcc gcc
need nginx-light nginx /usr/sbin/nginx
need postgresql /usr/lib/postgresql/*/bin/postgres
[ -n "$missing" ] || exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    echo "install-services: installing$missing" >&2
    apt-get update -qq
    # shellcheck disable=SC2086  # a list of words
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >/dev/null
    case $missing in *postgresql*)  # Debian makes and starts a cluster; tests start their own, and need no other
        pg_lsclusters -h | while read -r version name _; do pg_ctlcluster "$version" "$name" stop 2>/dev/null || true; done
    esac
else
    echo "install-services: not installed, so tests that need them are skipped; as root: apt-get install$missing" >&2
fi
