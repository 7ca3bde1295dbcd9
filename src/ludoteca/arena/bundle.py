"""Several modules of JavaScript as one script, for a page that has no other file.

A browser loads no module from a page that lies on the disk. The modules are ours, and of the simplest kind: what they import
stands in braces and comes from a neighbour, and what they export is declared there. Anything else is refused.
"""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final

_IMPORT: Final = re.compile(r'^import \{([\w\s,]*)\} from "\./(\w+)\.js";\n', re.MULTILINE)
_EXPORT: Final = re.compile(r"^export (?=(?:async )?(?:function|class|const) (\w+))", re.MULTILINE)
_LEFT: Final = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)


def bundle(modules: Sequence[Path]) -> str:
    """The modules as one script; each stands after those that it imports. Raises ValueError for what this cannot do."""
    parts = list[str]()
    known = set[str]()
    for file in modules:
        text = file.read_text(encoding="utf-8")
        needed = {name for _, name in _IMPORT.findall(text)}
        if needed - known:
            raise ValueError(f"{file.name} imports {', '.join(sorted(needed - known))}, which must stand before it")
        exports = ", ".join(_EXPORT.findall(text))
        body = _EXPORT.sub("", _IMPORT.sub(lambda found: f"const {{{found[1]}}} = module_{found[2]};\n", text))
        if left := _LEFT.search(body):
            raise ValueError(f"{file.name}: {left[0]!r} is no import or export that can be bundled")
        parts.append(f"const module_{file.stem} = (() => {{\n{body}\nreturn {{ {exports} }};\n}})();\n")
        known.add(file.stem)
    return "".join(parts)
