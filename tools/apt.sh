# Sourced by the scripts of this folder: apt-get for root, which waits for other programs that install packages.

can_install() { [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; }

# run_apt WORDS...: run apt-get; while another program holds a lock, try again for up to 2 minutes. Failure: $output says why.
run_apt() {
    tries=25
    until output=$(DEBIAN_FRONTEND=noninteractive apt-get -qq "$@" 2>&1 >/dev/null); do
        tries=$((tries - 1))
        case $output in *"get lock"*|*"lock directory"*) [ "$tries" -gt 0 ] || return 1 ;; *) return 1 ;; esac
        [ "$tries" -lt 24 ] || echo "${0##*/}: another program installs packages: waiting for up to 2 minutes" >&2
        sleep 5
    done
}

# install PACKAGE...: update the lists of packages, which a new container lacks, and install
install() { run_apt update && run_apt install -y --no-install-recommends "$@"; }
