"""Whether what a seat knows can be searched: refused here is what would end in nonsense, or nowhere, in compiled code."""

import warnings

from ludoteca.core.contract import TERMINAL, copied
from ludoteca.core.errors import NotationError, SearchError
from ludoteca.core.game import Game
from ludoteca.core.infostate import InformationState
from ludoteca.core.rng import new_rng


def check_game(game: Game, state: InformationState) -> int:
    """The player to move. Raises SearchError for a state of another game, one that is over, one that no deal fits."""
    if state.game != game:
        raise SearchError(f"the state is of {state.game!r}, expected one of {game!r}")
    if not state.real:
        check_fits(state)
    mover = int(game.steps.player_to_move(state.view))
    if mover == TERMINAL:
        raise SearchError("the game is over: there is nothing to choose")
    return mover


def check_turn(game: Game, state: InformationState) -> None:
    """Raises SearchError, which says why, where the state's player has nothing to choose."""
    mover = check_game(game, state)
    if mover != state.player:
        raise SearchError(f"it is the turn of player {mover}, and the state is what player {state.player} knows")


def check_fits(state: InformationState) -> None:
    """Deal once, write the position and read it again, and look whether the player would see the same. Raises SearchError,
    which says what clashes.

    Interpreted, since what does not fit may lead compiled code out of its arrays or round in circles.
    """
    game = Game(state.game.spec, state.game.parameters)
    deal = copied(state.view)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", RuntimeWarning)
            game.steps.deal_again(deal, state.player, new_rng(0))
            whole = game.state_from_string(str(game.notation.position_to_string(deal[0])))
    except NotationError as error:
        raise _misfit(state, str(error)) from None
    except (ArithmeticError, LookupError, ValueError, RuntimeWarning) as error:
        raise _misfit(state, f"a number in it is out of bounds ({type(error).__name__}: {error})") from None
    again = whole.view(state.player)
    hidden = set(state.view.dtype.names or ()) - set(game.rules.DERIVED)
    clash = sorted(name for name in hidden if again[name].tobytes() != state.view[name].tobytes())
    if clash:
        raise _misfit(state, f"dealt again, there is other {', '.join(clash)}")


def _misfit(state: InformationState, why: str) -> SearchError:
    return SearchError(f"no deal fits what player {state.player} knows: {why}")
