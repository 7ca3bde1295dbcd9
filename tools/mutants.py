"""Mutation testing of our own code: `make mutants`.

A mutant is a copy of the source tree with one line changed. The quick tests of its group should fail. The tool prints the
mutants that survive the tests, and the share of mutants that the tests of every group notice. The same seed and the same
sources give the same mutants, with any tests.
"""

import argparse
import ast
import json
import math
import os
import py_compile
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
LEAST: Final = 5
"""Mutants of every group, if it has that many."""
OPERATORS: Final = {
    ast.Lt: ("<", "<="), ast.LtE: ("<=", "<"), ast.Gt: (">", ">="), ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="), ast.NotEq: ("!=", "=="), ast.Is: ("is", "is not"), ast.IsNot: ("is not", "is"),
    ast.In: ("in", "not in"), ast.NotIn: ("not in", "in"), ast.And: ("and", "or"), ast.Or: ("or", "and"),
    ast.Add: ("+", "-"), ast.Sub: ("-", "+"), ast.Mult: ("*", "+"), ast.Div: ("/", "*"), ast.FloorDiv: ("//", "*"),
    ast.Mod: ("%", "*"), ast.Pow: ("**", "*"), ast.BitAnd: ("&", "|"), ast.BitOr: ("|", "&"), ast.BitXor: ("^", "&"),
    ast.LShift: ("<<", ">>"), ast.RShift: (">>", "<<"),
}  # fmt: skip
"""The text of every operator, and that of its replacement."""
BOUNDS: Final = ("MAX_LEGAL", "MAX_MOVES", "MAX_SCORE", "MIN_SCORE", "STATE")
"""Constants of the rules that may be larger than necessary: limits, and the lengths of arrays."""
PACKAGES: Final = {
    "agents": "agents",
    "arena": "arena",
    "cli": "test_cli.py test_parameters.py test_screen.py test_chart.py test_play.py server/test_connect.py",
    "envs": "envs",
    "judge": "judge/test_verdicts.py judge/test_rules.py judge/test_submissions.py judge/test_texts.py judge/test_checker.py"
    " judge/test_archives.py judge/test_compilers.py judge/test_making.py",
    "pictures": "test_pictures.py test_styles.py",
}
"""The quick tests of each package with one group, as files and folders of `tests`."""
SILENT: Final = r"(log|logging|warnings|_warn)\b|\w+(Error|Warning)\b"
"""Calls that make texts of logs, warnings and errors."""
say: Final = partial(print, file=sys.stderr, flush=True)


def groups() -> dict[str, tuple[str, list[str]]]:
    """Every group by name: the pattern of its sources, and the arguments of pytest that select its tests."""
    names = "state parameters position record reading messages registry rng bits codecache fingerprint native policy extras"
    names += " styles scenes previews laws_bite consoles pictures clusters"
    others = "judge/test_verdicts agents/test_levels arena/test_formats cartas/test_formats"
    others += " metro/test_symmetries okupacio/test_symmetries qinto/test_symmetries metro/test_features metro/test_console"
    others += " cartas/test_features cartas/test_judging arena/test_report envs/test_batch"
    tests = [f"tests/test_{name}.py" for name in names.split()] + [f"tests/{name}.py" for name in others.split()]
    quick = ["-m", "not slow"]
    found = {"core": ("src/ludoteca/core/*.py", [*quick, *tests])}
    for rules in sorted(ROOT.glob("src/ludoteca/games/*/rules.py")):
        game = rules.parent.name
        found[game] = str(rules.relative_to(ROOT)), [*quick, "-k", game, f"tests/{game}", "tests/test_laws.py"]
    for package, names in PACKAGES.items():
        found[package] = f"src/ludoteca/{package}/**/*.py", [*quick, *(f"tests/{name}" for name in names.split())]
    found["search"] = "src/ludoteca/search/*.py", ["tests/search"]  # all of them compile, so none is quick
    server = {"rooms": "machine audience turns table undo clocks rooms persons", "store": "store leases migrations"}
    server["model"] = "machine absence audience changes table turns endings fair clocks undo secrets"
    for package, names in server.items():
        paths = [f"tests/server/test_{name}.py" for name in names.split()]
        found[f"server/{package}"] = f"src/ludoteca/server/{package}/*.py", paths
    return found


@dataclass(frozen=True)
class Mutant:
    """A change of one line: some of its bytes are replaced."""

    path: str
    line: int
    start: int
    end: int
    replacement: str

    def applied(self, text: str) -> str:
        """The text of the file after the change."""
        lines = text.encode().splitlines(keepends=True)
        line = lines[self.line - 1]
        lines[self.line - 1] = line[: self.start] + self.replacement.encode() + line[self.end :]
        return b"".join(lines).decode()

    def shown(self, text: str) -> str:
        """The place of the change, the line before it and the line after it."""
        old, new = (each.split("\n")[self.line - 1].strip() for each in (text, self.applied(text)))
        return f"{self.path}:{self.line}  {old} -> {new}"


def mutants_of(path: str, text: str, chance: random.Random) -> list[Mutant]:
    """Yield every mutant of a source text, in the order of the text. A constant grows or shrinks at random, by 1."""
    lines, found = text.encode().splitlines(), []
    for node in _mutable(ast.parse(text)):
        for operator, left, right in _operators(node):
            old, new = (f"{each}{'=' * isinstance(node, ast.AugAssign)}" for each in OPERATORS[type(operator)])
            start = left.end_col_offset or 0 if left.end_lineno == right.lineno else 0
            between = lines[right.lineno - 1][start : right.col_offset].decode()
            if match := re.fullmatch(rf"[\s()]*({re.escape(old)})[\s()]*", between):
                found.append(Mutant(path, right.lineno, start + match.start(1), start + match.end(1), new))
        match node:
            case ast.Constant(value=int(value)) if type(value) is int:
                shifted = str(value + chance.choice((-1, 1)))
                found.append(Mutant(path, node.lineno, node.col_offset, node.end_col_offset or 0, shifted))
            case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test):
                ordered = isinstance(test, ast.Compare) and isinstance(test.ops[0], ast.Lt | ast.LtE | ast.Gt | ast.GtE)
                same = isinstance(test, ast.Compare) and len(test.ops) == 1 and not ordered  # like another operator
                if test.lineno == test.end_lineno and not same:
                    start, end = test.col_offset, test.end_col_offset or 0
                    negated = f"not ({lines[test.lineno - 1][start:end].decode()})"
                    found.append(Mutant(path, test.lineno, start, end, negated))
            case ast.Expr(value=ast.Call() | ast.Await(value=ast.Call())):
                found.append(Mutant(path, node.lineno, node.col_offset, node.col_offset, "None and "))
    return sorted(found, key=lambda each: (each.line, each.start, each.end))


def _mutable(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes whose change can be noticed: no types, assertions, bounds, logs, texts of errors, or `__repr__`."""
    match node:
        case ast.Assert() | ast.Raise() | ast.JoinedStr() | ast.FunctionDef(name="__repr__"):
            return
        case ast.If(test=ast.Name(id="TYPE_CHECKING")) | ast.BinOp(op=ast.BitOr(), right=ast.Constant(value=None)):
            return
        case ast.AnnAssign(target=ast.Name(id=name)) if name in BOUNDS:
            return
        case ast.Call(func=called) | ast.Expr(value=ast.Call(func=called)) if re.match(SILENT, ast.unparse(called)):
            return
    yield node
    for name, value in ast.iter_fields(node):
        if name not in ("annotation", "returns", "decorator_list"):
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST):
                    yield from _mutable(child)


def _operators(node: ast.AST) -> Iterator[tuple[ast.AST, ast.expr, ast.expr]]:
    """Every operator of a node, and the operands to its left and right."""
    match node:
        case ast.Compare(left=left, ops=operators, comparators=others):
            yield from zip(operators, [left, *others], others, strict=False)
        case ast.BoolOp(op=operator, values=values):
            yield from ((operator, left, right) for left, right in pairwise(values))
        case ast.BinOp(left=left, op=operator, right=right) | ast.AugAssign(target=left, op=operator, value=right):
            if type(operator) in OPERATORS and not any(isinstance(each, ast.List | ast.JoinedStr) for each in (left, right)):
                yield operator, left, right


Chosen = tuple[str, Mutant]
"""The name of a group and one of its mutants."""


class Copy:
    """A copy of the files that git tracks or would track, with its own temporary files, home and cache of compiled code."""

    def __init__(self, folder: Path) -> None:
        listing = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
        for name in subprocess.check_output(listing, cwd=ROOT, text=True).split("\0"):
            if name and (ROOT / name).is_file():
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / name, folder / name)
        self.folder, self.environment = folder, {**os.environ, "PYTHONPATH": str(folder / "src")}
        for name in ("HOME", "TMPDIR", "XDG_DATA_HOME", "LUDOTECA_CACHE"):
            (folder / name).mkdir()
            self.environment[name] = str(folder / name)
        self.process: subprocess.Popen[bytes] | None = None
        shown = "import ludoteca; print(ludoteca.__file__, flush=True)"
        program = f"{shown}; import subprocess, sys; subprocess.run([sys.executable, '-c', {shown!r}])"
        printed = subprocess.check_output([sys.executable, "-c", program], cwd=folder, env=self.environment, text=True)
        say(f"the tests and their processes import {' and '.join(printed.split())}")
        if printed.split() != 2 * [str(folder / "src" / "ludoteca" / "__init__.py")]:
            raise SystemExit(f"mutants: expected both in {folder}")

    def start(self, tests: Sequence[str], group: str, mutant: Mutant | None = None) -> None:
        """Start the tests of a group, with the mutant applied."""
        self.group, self.mutant, self.since = group, mutant, time.monotonic()
        if mutant:
            self.original = (self.folder / mutant.path).read_text(encoding="utf-8")
            self._write(mutant.path, mutant.applied(self.original))
        command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *tests]
        with (self.folder / "output").open("wb") as output:
            self.process = subprocess.Popen(
                command, cwd=self.folder, env=self.environment, start_new_session=True,
                stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT,
            )  # fmt: skip

    def _write(self, path: str, text: str) -> None:
        """Write a source file and compile it: Python may not notice a change within a second and run older code."""
        (self.folder / path).write_text(text, encoding="utf-8")
        py_compile.compile(str(self.folder / path), doraise=True)

    def end(self) -> None:
        """End the tests if they still run, with all their processes, and restore the source."""
        if self.process and self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)  # pytest ends the servers that the tests have started
            try:
                self.process.wait(20)
            except subprocess.TimeoutExpired:
                os.killpg(self.process.pid, signal.SIGKILL)
                self.process.wait()
        if self.process and self.mutant:
            self._write(self.mutant.path, self.original)
        self.process = None


def drawn(seed: int, count: int, every: dict[str, list[Mutant]]) -> list[Chosen]:
    """Return the mutants to run, in random order: LEAST of every group, and others in proportion to the groups' sizes."""
    rest = max(count - sum(min(LEAST, len(found)) for found in every.values()), 0)
    total, chosen = sum(map(len, every.values())), []
    for name, found in every.items():
        share = min(len(found), LEAST + math.ceil(rest * len(found) / total))
        chosen += [(name, mutant) for mutant in random.Random(f"{seed} {name}").sample(found, share)]
    random.Random(seed).shuffle(chosen)
    return chosen[:count]


@dataclass
class Result:
    """The outcome of one mutant: noticed, timeout (it counts as noticed) or survived. The tests took this many seconds."""

    group: str
    change: str
    outcome: str
    seconds: float


def run(copies: list[Copy], tests: dict[str, list[str]], todo: list[Chosen], deadline: float) -> Iterator[Result]:
    """Run the tests of all groups, which must pass, and then with each mutant. There is a process for each copy."""
    usual = {}
    for name, arguments in tests.items():
        copies[0].start(arguments, name)
        if copies[0].process and copies[0].process.wait():
            raise SystemExit(f"mutants: the tests of {name} fail:\n{(copies[0].folder / 'output').read_text('utf-8')}")
        usual[name] = time.monotonic() - copies[0].since
        say(f"{name}: the tests take {usual[name]:.1f} s")
        copies[0].end()
    left = todo[::-1]
    while (left or any(copy.process for copy in copies)) and time.monotonic() < deadline:
        for copy in copies:
            if copy.process and copy.mutant:
                status, seconds = copy.process.poll(), time.monotonic() - copy.since
                if status is None and seconds < 3 * usual[copy.group] + 20:
                    continue
                copy.end()
                outcome = "timeout" if status is None else "noticed" if status else "survived"
                yield Result(copy.group, copy.mutant.shown(copy.original), outcome, round(seconds, 1))
            if left:
                name, mutant = left.pop()
                copy.start(tests[name], name, mutant)
        time.sleep(0.1)


def main() -> None:
    """Run the mutants and print the report."""
    begun, known = time.monotonic(), groups()
    parser = argparse.ArgumentParser(prog="mutants", description="Count the mutants of our own code that its tests notice.")
    parser.add_argument("groups", nargs="*", metavar="GROUP", help=f"default: all of {', '.join(known)}")
    parser.add_argument("--seed", type=int, default=1, help="which mutants are drawn (default: 1)")
    parser.add_argument("--count", type=int, default=200, help="how many mutants (default: 200)")
    parser.add_argument("--minutes", type=float, default=40.0, help="stop after this time (default: 40)")
    parser.add_argument("--jobs", type=int, default=1, help="how many mutants at a time (default: 1)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write all results to this file")
    given = parser.parse_args()
    if unknown := set(given.groups) - set(known):
        parser.error(f"read {', '.join(sorted(unknown))}, expected some of {', '.join(known)}")
    tests, every = {}, {}
    for name in given.groups or known:
        sources, tests[name] = known[name]
        chance, paths = random.Random(f"{given.seed} {name}"), sorted(ROOT.glob(sources))
        read = [(str(path.relative_to(ROOT)), path.read_text("utf-8")) for path in paths]
        every[name] = [each for path, text in read for each in mutants_of(path, text, chance)]
    results, todo = list[Result](), drawn(given.seed, given.count, every)
    with tempfile.TemporaryDirectory(prefix="mutants-", ignore_cleanup_errors=True) as made:
        folder = Path(made).resolve()
        folder.chmod(0o711)  # PostgreSQL runs as another user, in a folder below
        copies = [Copy(folder / str(number)) for number in range(given.jobs)]
        try:
            for result in run(copies, tests, todo, begun + 60 * given.minutes):
                results.append(result)
                say(f"{len(results)}/{len(todo)} {result.seconds} s {result.outcome}: {result.change}")
        except KeyboardInterrupt:
            say("mutants: interrupted")
        finally:
            for copy in copies:
                copy.end()
    print(*sorted(result.change for result in results if result.outcome == "survived"), sep="\n")
    print(f"\n{'group':14} {'candidates':>10} {'run':>4} {'noticed':>7} {'share':>6}")
    for name in [*every, "all"]:
        ran = [result for result in results if name in ("all", result.group)]
        size = sum(len(found) for group, found in every.items() if name in ("all", group))
        noticed = sum(result.outcome != "survived" for result in ran)
        print(f"{name:14} {size:10} {len(ran):4} {noticed:7} {f'{noticed / len(ran):.0%}' if ran else '':>6}")
    print(f"seed {given.seed}, {(time.monotonic() - begun) / 60:.1f} minutes")
    if given.json:
        report = {"seed": given.seed, "candidates": {name: len(found) for name, found in every.items()}}
        given.json.write_text(json.dumps(report | {"results": [asdict(result) for result in results]}, indent=1), "utf-8")


if __name__ == "__main__":
    main()
