"""Commands that root's tests run as an ordinary user."""

import shlex
import stat
import sys
from pathlib import Path

REPOSITORY = Path(__file__).parents[2]
STRANGER = 61900
"""The number of an ordinary user, when tests are run by root."""


def as_a_stranger(user: int, folder: str, command: list[str]) -> list[str]:
    """The command with which root runs another command as an ordinary user. This user owns the folder.

    If only root can reach Python or this repository, they are mounted for this user, in a namespace of mounts.
    """
    paths = [Path(sys.base_prefix), Path(sys.prefix), REPOSITORY]
    closed = {path: [above for above in path.parents if not above.stat().st_mode & stat.S_IXOTH] for path in paths}
    hidden = {path: above[-1] for path, above in closed.items() if above}
    names = {path: shlex.quote(f"{folder}/mount-{number}") for number, path in enumerate(hidden)}
    script = [f"mkdir -p {names[path]}; mount --bind {shlex.quote(str(path))} {names[path]}" for path in hidden]
    script += [f"mount -t tmpfs -o mode=755 none {shlex.quote(str(above))}" for above in sorted(set(hidden.values()))]
    script += [f"mkdir -p {shlex.quote(str(path))}; mount --bind {names[path]} {shlex.quote(str(path))}" for path in hidden]
    script += [f'cd /; exec setpriv --reuid {user} --regid {user} --clear-groups -- "$@"']
    return ["unshare", "--mount", "sh", "-ec", "\n".join(script), "sh", *command]
