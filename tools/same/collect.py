"""Collects the results of one kind: `python -m tools.same.collect KIND FILE [--short]`.

The Python that runs it has the version. FILE gets a line of JSON for each case: its name and its result.
"""

import json
import sys
from importlib import import_module
from pathlib import Path


def main() -> None:
    """Write all cases."""
    kind, file, *rest = sys.argv[1:]
    collector = import_module(f"tools.same.{kind}")
    with Path(file).open("w", encoding="utf-8") as lines:
        for name, result in collector.cases(short="--short" in rest):
            lines.write(json.dumps([name, result], ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
