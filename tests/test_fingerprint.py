"""Equal fingerprints for the same machine code, and different ones for other code."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import numpy as np
import pytest

from ludoteca.core.errors import ContractError
from ludoteca.core.fingerprint import encode, encode_annotations, encode_functions

HELPER = "elsewhere"


@pytest.fixture(autouse=True)
def forget() -> Iterator[None]:
    yield
    sys.modules.pop(HELPER, None)


def module(name: str, text: str) -> ModuleType:
    made = ModuleType(name)
    exec(compile(text, f"{name}.py", "exec"), vars(made))
    sys.modules[name] = made
    return made


def fingerprint(text: str, helper: str = "", given: "dict[str, Any] | None" = None) -> bytes:
    """Of the function `f` of a module, which may import from a module `elsewhere`."""
    module(HELPER, helper)
    made = module("rules", text)
    return encode_functions([made.f], given or {})


RULES = """
from typing import NamedTuple
import math
import numpy as np

TABLE = np.array([1, 2])
BEST = 1
SIDES = (4, 2)
class Place(NamedTuple):
    row: int
    column: int = 0

def g(x, most=3):
    "Help."
    return x.left + most if x in (1, 2) else TABLE[BEST]

def f(x: int, *, least=0):
    "What it gives."
    # why
    place = Place(x, 2.0)
    return g(x) + place.row + SIDES[1] + math.pi + np.int64(x) + sum([y * 2 for y in SIDES]) + least
"""


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("    # why\n", "    # why\n    # and how\n\n\n"),
        ('    "What it gives."\n', ""),
        ('"Help."', '"""Help\n\n    for whoever reads it."""'),
        ("def f(x: int,", "def f(x: float,"),
        ("BEST = 1", "BEST = 2 - 1"),
        ("SIDES = (4, 2)", "SIDES = (4, 2)\nNOBODY_READS_IT = 5"),
        ("def g(", "def unused():\n    return 7\n\ndef g("),
        ("g(x) + ", "g(\n        x\n    ) + "),
    ],
)
def test_what_no_machine_code_depends_on_is_left_out(old: str, new: str) -> None:
    assert RULES.count(old) >= 1
    assert fingerprint(RULES) == fingerprint(RULES.replace(old, new))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("BEST = 1", "BEST = 0"),
        ("BEST = 1", "BEST = True"),
        ("BEST = 1", "BEST = 1.0"),
        ("BEST = 1", "BEST = np.int8(1)"),
        ("[1, 2]", "[1, 3]"),
        ("[1, 2]", "[[1, 2]]"),
        ("np.array([1, 2])", "np.array([1, 2], np.int32)"),
        ("np.array([1, 2])", "np.array([1, 0, 2])[::2]"),
        ("SIDES = (4, 2)", "SIDES = (4, 2, 0)"),
        ("row: int", "rows: int"),
        ("column: int = 0", "column: int = 1"),
        ("row: int\n    column: int = 0", "column: int\n    row: int = 0"),
        ("most=3", "most=4"),
        ("least=0", "least=0.0"),
        ("x.left", "x.right"),
        ("(1, 2)", "(1, 2, 3)"),
        ("2.0", "2"),
        ("2.0", "-2.0"),
        ("y * 2", "y * 3"),
        ("y * 2", "y + 2"),
        ("math.pi", "math.e"),
        ("np.int64", "np.int32"),
        ("g(x) + place", "g(x) - place"),
        ("return g(x)", "g(x)\n    return g(x)"),
    ],
)
def test_what_machine_code_depends_on_is_told_apart(old: str, new: str) -> None:
    assert old in RULES
    assert fingerprint(RULES) != fingerprint(RULES.replace(old, new))


def test_parts_of_arrays_are_told_apart() -> None:
    parts = ":", "1:", "2:", ":1", "1:3", "1:4", "::2"
    assert len({fingerprint(f"def f(x):\n    return x[{part}]") for part in parts}) == len(parts)
    assert encode(slice(1, 2)) != encode(slice(1, 2, 1)) != encode((1, 2, 1))


def test_functions_and_constants_of_other_modules_are_followed() -> None:
    text = f"from {HELPER} import g, MOST\nimport {HELPER}\ndef f(x):\n    return g(x) + MOST + {HELPER}.LEAST"
    helper = "LEAST = 0\nMOST = 5\ndef h(x):\n    return x > 1\ndef g(x):\n    return h(x)"
    prints = {
        fingerprint(text, helper.replace(old, new))
        for old, new in (("", ""), ("LEAST = 0", "LEAST = 1"), ("MOST = 5", "MOST = 6"), ("x > 1", "x < 1"))
    }
    assert len(prints) == 4


def test_a_name_that_is_given_counts_where_the_module_has_none() -> None:
    text = "def f(x):\n    return apply(x)"

    def one(x: int) -> int:
        return x

    def two(x: int) -> int:
        return x + 1

    assert fingerprint(text, given={"apply": one}) != fingerprint(text, given={"apply": two})
    own = text + "\napply = 3"
    assert fingerprint(own, given={"apply": one}) == fingerprint(own, given={"apply": two})


def test_functions_that_call_one_another_are_no_endless_loop() -> None:
    text = "def g(x):\n    return f(x)\ndef f(x):\n    return g(x - 1) if x else 0"
    assert fingerprint(text) != fingerprint(text.replace("x - 1", "x - 2"))


def test_which_function_a_name_stands_for_is_told_apart() -> None:
    text = "def g(x):\n    return 1\ndef h(x):\n    return 2\ndef f(x):\n    return a(x) - b(x)\n"
    assert fingerprint(text + "a, b = g, h") != fingerprint(text + "a, b = h, g")


@pytest.mark.parametrize(
    ("head", "result", "says"),
    [
        ("LIST = [1]", "LIST[x]", r"rules\.f, its global 'LIST': read \[1\], a list: expected a number"),
        ("ODD = {1: 2}", "ODD[x]", "a dict: expected"),
        (f"import {HELPER}", f"{HELPER}.g(x)", "a function of the module elsewhere, .*imported by name"),
        (f"import {HELPER}", f"{HELPER}", "read the module elsewhere, expected an attribute"),
        ("class Own:\n    LEAST = 1", "Own.LEAST", "the class Own, expected a NamedTuple"),
        ("import numba\n@numba.njit\ndef g(x):\n    return x", "g(x)", "Dispatcher: expected"),
        ("from numba.extending import intrinsic\n@intrinsic\ndef g(t, x):\n    return 1", "g(x)", "_Intrinsic: expected"),
    ],
)
def test_what_could_change_while_its_name_stays_is_refused(head: str, result: str, says: str) -> None:
    with pytest.raises(ContractError, match=says):
        fingerprint(f"{head}\ndef f(x):\n    return {result}", "LEAST = 1\ndef g(x):\n    return x")


PAIRS: list[tuple[Any, Any]] = [
    (1, True),
    (1, 1.0),
    (0.0, -0.0),
    (0, False),
    ("1", 1),
    ("1", b"1"),
    ((1, 2), (12,)),
    (("ab", "c"), ("a", "bc")),
    ((1, (2,)), (1, 2)),
    (frozenset({1, 2}), frozenset({1, 3})),
    (frozenset({1}), (1,)),
    (None, ()),
    (1j, 1.0),
    (np.float32(1), np.float64(1)),
    (np.dtype([("a", "i1")]), np.dtype([("b", "i1")])),
    (np.dtype([("a", "i1"), ("b", "i2")]), np.dtype([("a", "i1"), ("b", "i2")], align=True)),
    (np.dtype([("a", "i1", (2,))]), np.dtype([("a", "i1", (3,))])),
    (np.dtype([("a", "i2")]), np.dtype([("a", ">i2")])),
    (np.zeros(2), np.zeros((2, 1))),
    (np.zeros((2, 2)), np.zeros((2, 2), order="F")),
]


@pytest.mark.parametrize(("one", "other"), PAIRS, ids=str)
def test_different_values_give_different_bytes(one: object, other: object) -> None:
    assert encode(one) != encode(other)


def test_equal_values_give_equal_bytes() -> None:
    numbers = [3, 1, 1 << 40, 2]
    assert encode(frozenset(numbers)) == encode(frozenset(reversed(numbers)))
    assert encode(float("nan")) == encode(float("nan"))
    assert encode(np.arange(3)) == encode(np.array([0, 1, 2]))


def test_annotations_count_with_the_fields_of_named_tuples() -> None:
    text = "from typing import NamedTuple\nclass Shape(NamedTuple):\n    wide: int\ndef f(x: Shape) -> int:\n    return 1"

    def annotations(text: str) -> bytes:
        function: FunctionType = module("rules", text).f
        return encode_annotations(function)

    assert annotations(text) != annotations(text.replace("wide: int", "wide: float"))
    assert annotations(text) != annotations(text.replace("wide", "high"))
    assert annotations(text) == annotations(text.replace("return 1", "return 2"))


def test_a_fingerprint_is_the_same_in_every_process(tmp_path: Path) -> None:
    (tmp_path / "rules.py").write_text(RULES.replace("x in (1, 2)", "x in {'a', 'b', 'c'}"))
    code = "import rules, hashlib\nfrom ludoteca.core.fingerprint import encode_functions as e\n"
    code += "print(hashlib.sha256(e([rules.f], {})).hexdigest())"
    runs = [
        subprocess.run(
            [sys.executable, "-c", code],
            env={"PYTHONPATH": str(tmp_path), "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in "12"
    ]
    assert len(set(runs)) == 1
