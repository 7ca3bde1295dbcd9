"""Compares the behaviour of the checkout with that of an older commit: `make same OLD=COMMIT` (docs/testing.md)."""

import argparse
import json
import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final, NamedTuple

from tools.same.compare import compare, read, report
from tools.same.faces import ROOT
from tools.same.names import ENVIRONMENT, RENAMED
from tools.same.versions import BUILD, Version, checkout, git, installed
from tools.same.wanted import WANTED

KINDS: Final = ("rooms", "judging", "commands", "engine", "scenes")
"""The kinds of results. The slowest come first."""


class Collected(NamedTuple):
    """The output of a collector."""

    file: Path
    failure: str
    """The error that stopped it, or an empty text."""
    seconds: float


def main() -> int:
    """Collect the results of both versions, print how they differ, and return the exit status: 1 if they do."""
    parser = argparse.ArgumentParser(prog="same", description=__doc__)
    parser.add_argument("old", metavar="OLD", help="the older commit")
    parser.add_argument("--short", action="store_true", help="all kinds, fewer samples: about two minutes")
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=KINDS)
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="collectors at a time")
    given = parser.parse_args()
    try:
        commit = git("rev-parse", "--verify", f"{given.old}^{{commit}}")
    except subprocess.CalledProcessError:
        print(f"same: there is no commit {given.old} here; a shallow clone lacks older ones", file=sys.stderr)
        return 2
    versions = installed(commit), checkout()
    print(f"same: {git('log', '-1', '--format=%h %s', commit)}, and the checkout", flush=True)
    results = BUILD / "results"
    results.mkdir(exist_ok=True)
    renamed = json.dumps([each for each in RENAMED if not _has(commit, each.commit)])

    def collect(kind: str, version: Version) -> Collected:
        file, began = results / f"{kind}.{version.name}", time.monotonic()
        file.write_text("")
        command = [str(version.python), "-m", "tools.same.collect", kind, str(file)]
        command += ["--short"] if given.short else []
        names = {ENVIRONMENT: renamed if version.name == "old" else "[]"}
        # in a folder without modules: the first place where Python looks
        done = subprocess.run(command, env=version.environment() | names, cwd=results, stderr=subprocess.PIPE, check=False)
        why = f"  the collector of the {version.name} version broke off:\n{done.stderr.decode(errors='replace')[-2000:]}"
        return Collected(file, why if done.returncode else "", time.monotonic() - began)

    differ = False
    with ThreadPoolExecutor(given.jobs) as pool:
        running = {kind: [pool.submit(collect, kind, version) for version in versions] for kind in given.kinds}
        for kind, both in running.items():
            old, new = (each.result() for each in both)
            compared = compare(read(old.file), read(new.file), [rule for rule in WANTED if rule.kind == kind])
            failures = [each.failure for each in (old, new) if each.failure]
            first, *rest = report(kind, compared)
            print(f"{first} ({old.seconds:.0f} s, {new.seconds:.0f} s)", *rest, *failures, sep="\n", flush=True)
            differ |= bool(compared.different or failures)
    print("same: the versions differ" if differ else "same: no difference")
    return int(differ)


def _has(commit: str, earlier: str) -> bool:
    """True if the commit has the change of the earlier one."""
    asked = ["git", "merge-base", "--is-ancestor", earlier, commit]
    return subprocess.run(asked, cwd=ROOT, check=False).returncode == 0


if __name__ == "__main__":
    sys.exit(main())
