"""Plans for an army's next turn: it can take any cell that is free now, unless another army takes the cell first."""

from ludoteca.core.contract import RawPosition


def begin_turn(view: RawPosition, player: int) -> None:
    view.mover = player
