"""The next turn of an army: what is free now may be taken then, unless somebody else takes it before."""

from ludoteca.core.contract import RawPosition


def begin_turn(view: RawPosition, player: int) -> None:
    view.mover = player
