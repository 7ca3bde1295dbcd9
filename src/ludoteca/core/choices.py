"""The actions among which a search or a player chooses: all legal actions except the one that gives up."""

from typing import TYPE_CHECKING

from ludoteca.core.contract import Integers, RawPosition, i64

if TYPE_CHECKING:
    from ludoteca.core.contract import CONCEDE, legal_actions


def list_choices(state: RawPosition, out: Integers) -> int:
    """Write the legal actions except CONCEDE to `out`, in the order of `legal_actions`. Return their number."""
    n, kept = legal_actions(state, out), i64(0)
    for i in range(n):
        if out[i] != CONCEDE:
            out[kept] = out[i]
            kept += 1
    return kept
