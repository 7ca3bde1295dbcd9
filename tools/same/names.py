"""Names that have changed: how today's collectors speak to an older version.

A collector uses the names of the checkout. A row translates one of them for versions from before the commit that changed it.
Delete a row when no issue compares with a version before its commit.
"""

import json
import os
from typing import Any, Final, Literal, NamedTuple

ENVIRONMENT: Final = "SAME_NAMES"


class Renamed(NamedTuple):
    """A name that a commit changed."""

    kind: Literal["argument", "field", "import"]
    """`argument`: a word of a command line. `field`: a key of JSON, over HTTP and WebSockets. `import`: `module:name`."""
    new: str
    old: str
    commit: str


# for example: Renamed("import", "ludoteca.envs:Batch", "ludoteca.envs.batch:Batch", "1a2b3c4")
RENAMED: Final[tuple[Renamed, ...]] = ()


def spoken(kind: str, name: str) -> str:
    """What this process's version calls it."""
    return str(_table(kind).get(name, name))


def sent(value: Any) -> Any:
    """A JSON value with the fields of this process's version."""
    return _with_fields(value, _table("field"))


def received(value: Any) -> Any:
    """A JSON value of this process's version with the fields of the checkout."""
    return _with_fields(value, {old: new for new, old in _table("field").items()})


def _table(kind: str) -> dict[str, str]:
    return {each[1]: each[2] for each in json.loads(os.environ.get(ENVIRONMENT, "[]")) if each[0] == kind}


def _with_fields(value: Any, table: dict[str, str]) -> Any:
    if not table:
        return value
    if isinstance(value, dict):
        return {table.get(name, name): _with_fields(each, table) for name, each in value.items()}
    return [_with_fields(each, table) for each in value] if isinstance(value, list) else value
