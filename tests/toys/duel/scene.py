"""The scene of Duel: the player's hand at the bottom, the opponent's hand at the top, and the played cards between them."""

from collections.abc import Iterator, Sequence
from typing import Final

from ludoteca.core.bits import members
from ludoteca.core.contract import TERMINAL, RawPosition
from ludoteca.core.messages import SEAT, Message
from ludoteca.core.scene import Choice, Item, Placed, Scene, Standing

from .rules import CONCEDE, DECK, FACE_DOWN, SOME_CARD, is_terminal, winners

WIDTH: Final = 10.0
HEIGHT: Final = 6.5
TABLE: Final = "table"
DOWN: Final = "down"
"""The items that a player touches after a card, to play it open or face down."""
TABLE_AT: Final = 3.25
HAND_AT: Final = (5.7, 0.8)
"""The heights of the player's hand and of the opponent's. A spectator sees the side of the first player."""


def draw(view: RawPosition, player: int) -> Scene:
    items = (
        *_spots(),
        *_shown(view),
        *_hand(view, player, max(player, 0)),
        *_hand(view, player, 1 - max(player, 0)),
    )
    return Scene(WIDTH, HEIGHT, items, tuple(_standing(view, seat) for seat in range(2)), _task(view))


def placed(before: RawPosition, after: RawPosition, player: int, action: int) -> Placed:
    return Placed((f"card/{action}",)) if 0 <= action < DECK else Placed()


def choices(view: RawPosition, player: int, legal: Sequence[int]) -> Sequence[Choice]:
    return [_choice(action) for action in legal]


def interpret(view: RawPosition, player: int, touched: Sequence[str]) -> int:
    cards = [int(name.removeprefix("card/")) for name in touched if name.startswith("card/")]
    spots = [name for name in touched if name in (TABLE, DOWN)]
    if len(cards) != 1 or len(spots) != 1 or len(touched) != 2:
        return -1
    return cards[0] + (DECK if spots == [DOWN] else 0)


def describe(view: RawPosition, player: int, action: int) -> Message:
    if action == CONCEDE:
        return ("told.give_up",)
    if action == SOME_CARD:
        return ("told.hidden",)
    return ("told.down" if action >= DECK else "told.open", action % DECK)


def _spots() -> Iterator[Item]:
    yield Item(TABLE, "duel-felt", 3.75, TABLE_AT, 7, 1.8, label=("table",))
    yield Item(DOWN, "duel-felt", 8.75, TABLE_AT, 1.8, 1.8, label=("down",))


def _shown(view: RawPosition) -> Iterator[Item]:
    """Return the cards that were played open, by number. The card that leads the trick is raised."""
    for place, card in enumerate(members(int(view.shown))):
        raised = 0.2 if card == view.led else 0.0
        yield _card(card, 0.9 + 0.8 * place, TABLE_AT - raised)


def _hand(view: RawPosition, player: int, seat: int) -> Iterator[Item]:
    """Return a hand: visible cards by number, and backs by their place. Cards laid face down are at the side."""
    own, y = seat == player, HAND_AT[seat != max(player, 0)]
    for n, place in enumerate(range(int(view.n_hand[seat]))):
        cards = members(int(view.hands[seat]))
        yield _card(cards[n], 4 + place, y) if own else Item(f"hand/{seat}/{place}", "duel-back", 4 + place, y, 0.9, 1.4)
    for place in range(int(view.n_laid[seat])):
        start = "" if own else f"hand/{seat}/{view.n_hand[seat]}"
        yield Item(f"laid/{seat}/{place}", "duel-back", 8 + place, y, 0.9, 1.4, 90, f"player-{seat}", ("laid",), start=start)


def _card(card: int, x: float, y: float) -> Item:
    return Item(f"card/{card}", "duel-card", x, y, 0.9, 1.4, label=("card", card), text=str(card))


def _standing(view: RawPosition, seat: int) -> Standing:
    facts: tuple[tuple[Message, Message], ...] = (
        (("points",), int(view.points[seat])),
        (("cards",), int(view.n_hand[seat])),
    )
    return Standing(seat, facts, "duel-back", bool(view.gave_up >> seat & 1))


def _task(view: RawPosition) -> Message:
    if not is_terminal(view):
        return ("task.answer",) if view.led >= 0 or view.led == FACE_DOWN else ("task.lead",)
    won = int(winners(view))
    return ("end.tie",) if won in (0, 3) else ("end.won", (SEAT, won - 1))


def _choice(action: int) -> Choice:
    if action == CONCEDE:
        return Choice(action, (), ("give_up",))
    return Choice(action, (f"card/{action % DECK}", DOWN if action >= DECK else TABLE))


def begin_turn(view: RawPosition, player: int) -> None:
    """Let the player move, with the present hand. A player without cards has had the last turn."""
    view.mover = player if view.n_hand[player] else TERMINAL
