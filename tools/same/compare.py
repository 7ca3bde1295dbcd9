"""Compares the results of two versions, and reports the differences."""

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import unified_diff
from itertools import islice
from pathlib import Path
from typing import Any, Final, NamedTuple

from tools.same.wanted import Wanted

SHOWN: Final = 6
"""Differences of a kind that are printed, each with the number of cases that have it."""
PLACES: Final = 3
"""Differences of a case that are printed."""
LOOKED_AT: Final = 1000
"""Differences of a case from which the printed ones are chosen."""
AROUND: Final = 40
"""Characters of a line that are printed before a difference. Twice this number is printed from the difference on."""
MISSING: Final = object()

Results = dict[str, Any]


class Comparison(NamedTuple):
    """How the results of one kind compare."""

    cases: int
    different: dict[str, list[str]]
    """The cases that differ, each with some of its differences."""
    wanted: int
    """The number of cases that differ only as the rules allow."""


def read(file: Path) -> Results:
    """The results that a collector has written."""
    with file.open(encoding="utf-8") as lines:
        pairs = [json.loads(line) for line in lines]
    results = dict(pairs)
    assert len(results) == len(pairs), f"two cases of {file} have the same name"
    return results


def compare(old: Results, new: Results, rules: Sequence[Wanted]) -> Comparison:
    """Compare the results of one kind under the rules of that kind."""
    different, wanted = {}, 0
    for name in old | new:
        pair = old.get(name), new.get(name)
        if alike(*pair):
            continue
        first, second = (normalised(name, result, rules) for result in pair)
        if alike(first, second):
            wanted += 1
        else:
            different[name] = spread(islice(differences(first, second), LOOKED_AT))
    return Comparison(len(old | new), different, wanted)


def spread(places: Iterator[str]) -> list[str]:
    """Choose places from many parts of the result, such as the frames of several seats."""
    seen: Counter[str] = Counter()
    ranked = []
    for number, place in enumerate(places):
        part = re.split(r"[.\[:]", place)[0]
        ranked.append((seen[part], number, place))
        seen[part] += 1
    return [place for _, _, place in sorted(ranked)[:PLACES]]


def normalised(name: str, result: Any, rules: Sequence[Wanted]) -> Any:
    """The result without the differences that the rules allow in a case of that name."""
    fitting = [rule for rule in rules if re.fullmatch(rule.cases, name)]
    if not fitting:
        return result
    text = json.dumps(result, ensure_ascii=False)
    for rule in fitting:
        text = re.sub(rule.pattern, rule.replacement, text)
    return json.loads(text)


def alike(old: Any, new: Any) -> bool:
    """True if two results are the same JSON. The order of names does not matter, and 0, 0.0 and false are three values."""
    if MISSING in (old, new):
        return old is new
    return json.dumps(old, sort_keys=True) == json.dumps(new, sort_keys=True)


def differences(old: Any, new: Any, place: str = "") -> Iterator[str]:
    """The differences of two results, each with its place and both values."""
    if alike(old, new):
        return
    if isinstance(old, dict) and isinstance(new, dict):
        for name in old | new:
            yield from differences(old.get(name, MISSING), new.get(name, MISSING), f"{place}.{name}" if place else name)
    elif isinstance(old, list) and isinstance(new, list):
        if len(old) != len(new):
            yield f"{place}: {len(old)} -> {len(new)} items"
        for number, (one, other) in enumerate(zip(old, new, strict=False)):
            yield from differences(one, other, f"{place}[{number}]")
    elif isinstance(old, str) and isinstance(new, str) and ("\n" in old or "\n" in new):
        changed = list(unified_diff(old.splitlines(), new.splitlines(), n=0, lineterm=""))[2:]
        yield "\n".join([f"{place}:", *map(_cut, changed[:7])] if changed else [f"{place}: line ends differ"])
    else:
        before, after = (_shown(value) for value in (old, new))
        start = next((at for at, (a, b) in enumerate(zip(before, after, strict=False)) if a != b), 0)
        low = max(0, start - AROUND) if max(len(before), len(after)) > 3 * AROUND else 0
        yield f"{place}: {_cut(before[low:])} -> {_cut(after[low:])}"


def report(kind: str, compared: Comparison) -> Iterator[str]:
    """The lines for one kind. Cases whose first difference is the same are one entry."""
    rest = f", {compared.wanted} more as wanted" if compared.wanted else ""
    yield f"{kind}: {compared.cases} cases, {len(compared.different)} differ{rest}"
    groups: dict[str, list[str]] = {}
    for name, places in compared.different.items():
        groups.setdefault(re.sub(r"\d+(?=[\].@ ,])", "#", places[0]), []).append(name)
    for names in list(groups.values())[:SHOWN]:
        also = f" (and {len(names) - 1} more alike)" if len(names) > 1 else ""
        yield f"  {names[0]}{also}"
        yield from (f"    {line}" for place in compared.different[names[0]] for line in place.splitlines())
    if len(groups) > SHOWN:
        others = sum(map(len, list(groups.values())[SHOWN:]))
        yield f"  ... and {others} cases with {len(groups) - SHOWN} other differences"


def _shown(value: Any) -> str:
    return "nothing" if value is MISSING else value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _cut(text: str) -> str:
    return text if len(text) <= 3 * AROUND else text[: 3 * AROUND] + "..."
