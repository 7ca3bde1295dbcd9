#!/bin/sh
# usage: install-services.sh: install the missing Debian programs that tests run, if root runs the script.
# For missing programs, print which tests will be skipped and how to add the programs. The exit status is always 0.
set -u
. "${0%/*}/apt.sh"
missing="" skipped=""
need() {  # need PACKAGE TESTS PROGRAM...: one of the programs shows that the package is installed
    package=$1 tests=$2; shift 2
    for program; do command -v "$program" >/dev/null && return; done
    missing="$missing $package"
    skipped="$skipped
  $tests ($package)"
}
check() {
    missing="" skipped=""
    need swi-prolog-nox "Metro from Prolog" swipl
    need chromium-headless-shell "the pages in a browser" chromium-headless-shell
    need lld "games in a page's Python" wasm-ld
    need bubblewrap "bots and judged programs in bubblewrap" bwrap
    need gcc "judging of C programs" gcc
    need g++ "judging of C++ programs" g++
    need nginx-light "servers behind nginx" nginx /usr/sbin/nginx
    need sqlite3 "backups of games in SQLite" sqlite3
    need postgresql "games in PostgreSQL" /usr/lib/postgresql/*/bin/postgres
}
check
[ -n "$missing" ] || exit 0
if can_install; then
    echo "install-services: you are root, so this installs Debian packages on your system:$missing" >&2
    had_postgresql=$missing
    # shellcheck disable=SC2086  # a list of words
    install $missing || echo "install-services: apt-get failed: $(echo "$output" | head -n 1)" >&2
    case $had_postgresql in *postgresql*)  # Debian makes and starts a cluster; tests start their own, and need no other
        if command -v pg_lsclusters >/dev/null; then
            pg_lsclusters -h | while read -r version name _; do pg_ctlcluster "$version" "$name" stop 2>/dev/null; done
        fi ;;
    esac
    check
fi
[ -z "$missing" ] || echo "install-services: these tests will be skipped:$skipped
To add them, run as root: apt-get install$missing" >&2
exit 0
