"""The stand-in for NumPy does what NumPy does, or says that it cannot."""

from typing import Any

import numpy
import pytest

from ludoteca.web import numpy as stand_in

LAYOUT = [("mover", "i1"), ("seed", "u8", (2,)), ("grid", "i2", (3,))]
EXPRESSIONS = [
    "array([3, 1, 2], int64)[[2, 0]]",
    "array([3, 1, 2], int64)[[True, False, True]]",
    "array([3, 1, 2], int64)[array([3, 1, 2], int64) != 1]",
    "int(array([[1, 2], [3, 4]], int8)[1, 0])",
    "array([[1, 2], [3, 4]], int8)[-1]",
    "array([[1, 2], [3, 4]], int8)[0:1].ravel()",
    "array([3, 1, 3], int64) == array([3, 1, 2], int64).max()",
    "(array([6, 3], int64) / 4 + 0.5) * 2",
    "1 / (2 * arange(1, 4) - 1)",
    "-array([3, 1, 2], int64)",
    "increased(arange(3))",
    "argsort(-array([1, 2, 1, 2], int64), kind='stable')",
    "array([1, 2], int64).astype(float64)",
    "array([2**64 - 1], uint64).view(int64)",
    "full(4, 255, uint8).view(uint8) & array([1, 2, 4, 8], uint8)",
    "concatenate(([0.0], cumsum(array([1.0, 2.0]))))",
    "rint(exp(array([0.5, 1.5])))",
    "zeros(2, dtype(layout)).tobytes()",
    "changed(zeros(2, dtype(layout)))",
    "roll(changed(zeros(3, dtype(layout))), 1).tobytes()",
    "changed(zeros(2, dtype(layout)))[[1, 0]]['mover']",
]


def changed(some: Any) -> Any:
    some[0]["mover"], some[0]["grid"], some[1]["grid"] = -3, [1, 2, 3], some[0]["grid"]
    some[1]["seed"][1] = 2**63
    some[[0, 1]] = some[[1, 0]]
    return some


def increased(some: Any) -> Any:
    part = some[1:]
    part += 5
    return some


def plain(value: Any) -> Any:
    return (value.tobytes(), value.shape) if hasattr(value, "shape") else value


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_the_stand_in_gives_the_bytes_of_numpy(expression: str) -> None:
    found, expected = (
        plain(eval(expression, {**vars(module), "changed": changed, "increased": increased, "layout": LAYOUT}))
        for module in (stand_in, numpy)
    )
    assert found == expected


@pytest.mark.parametrize(
    ("act", "told"),
    [
        (lambda: stand_in.linspace, "numpy.linspace is not in the package for pages"),
        (lambda: stand_in.arange(4).mean(), "numpy.ndarray.mean is not in the package for pages"),
        (lambda: stand_in.arange(4)[::2], "a slice with the step 2"),
        (lambda: stand_in.arange(4).__setitem__(slice(0, 2), [1, 2, 3]), "3 values for 2 places"),
        (lambda: stand_in.dtype("c16"), "read 'c16', expected a number type"),
    ],
)
def test_what_the_stand_in_cannot_do_is_said(act: Any, told: str) -> None:
    with pytest.raises((AttributeError, TypeError), match=told):
        act()
