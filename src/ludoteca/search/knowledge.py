"""Whether what a seat knows can be searched: refused here is what would end in nonsense, or nowhere, in compiled code."""

import warnings
from dataclasses import replace

from ludoteca.core.contract import TERMINAL
from ludoteca.core.errors import NotationError, SearchError
from ludoteca.core.game import Game
from ludoteca.core.position import InformationState, Position
from ludoteca.core.rng import new_rng


def check_game(game: Game, state: InformationState) -> InformationState:
    """The state, known to be real. Raises SearchError for one of another game, one that is over, one that no deal fits."""
    if state.game != game:
        raise SearchError(f"the state is of {state.game!r}, expected one of {game!r}")
    if not state.real:
        check_fits(state)
    if state.view.current_player() == TERMINAL:
        raise SearchError("the game is over: there is nothing to choose")
    return replace(state, real=True)


def check_turn(game: Game, state: InformationState) -> InformationState:
    """The same; raises SearchError, which says why, where the state's player has nothing to choose."""
    checked = check_game(game, state)
    mover = state.view.current_player()
    if mover != state.player:
        raise SearchError(f"it is the turn of player {mover}, and the state is what player {state.player} knows")
    return checked


def check_fits(state: InformationState) -> None:
    """Deal once, write the position and read it again, and look whether the player would see the same. Raises SearchError,
    which says what clashes.

    Interpreted, since what does not fit may lead compiled code out of its arrays or round in circles.
    """
    game = Game(state.game.spec, state.game.parameters)
    known = Position(game, state.view.array)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", RuntimeWarning)
            deal = known.redeal(state.player, new_rng(0))
            whole = game.state_from_string(str(game.notation.position_to_string(deal.raw)))
    except NotationError as error:
        raise _misfit(state, str(error)) from None
    except (ArithmeticError, LookupError, ValueError, RuntimeWarning) as error:
        raise _misfit(state, f"a number in it is out of bounds ({type(error).__name__}: {error})") from None
    again = whole.view(state.player)
    hidden = set(game.dtype.names or ()) - set(game.rules.DERIVED)
    clash = sorted(name for name in hidden if again.array[name].tobytes() != known.array[name].tobytes())
    if clash:
        raise _misfit(state, f"dealt again, there is other {', '.join(clash)}")


def _misfit(state: InformationState, why: str) -> SearchError:
    return SearchError(f"no deal fits what player {state.player} knows: {why}")
