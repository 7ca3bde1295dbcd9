"""The laws can fail: each catches a toy game that breaks it."""

import re
import shutil
from pathlib import Path

import pytest

import kuhn
import mutants
from ludoteca.core.errors import ContractError
from ludoteca.testing import LAWS, BrokenLawError, Effort

LAW = {law.__name__: law for law in LAWS}
EFFORT = Effort(games=40, compared=20, compiled=False)
GIVES_UP = "def opponent_action(state: RawPosition, rng: Words) -> int:\n    return i64(CONCEDE)\n\n\ndef playout_action("
KNOWS_SECRETS = (
    "def is_obvious(state: RawPosition, action: int) -> bool:\n    return action == i64(state.hands[1 - state.mover])\n\n\n"
    "def playout_action("
)
BROKEN = {
    "complete_contract": [
        ("rules.py", "MAX_SCORE: Final = HAND", "", "lack MAX_SCORE"),
        ("rules.py", "STATE: Final = np.dtype(\n    [", "STATE: Final = np.dtype(align=True, dtype=\n    [", "padded"),
        ("rules.py", '("shown", "i2")', '("shown", "u2")', "fields of uint16"),
        ("rules.py", "DERIVED: Final = ()", 'DERIVED: Final = ("order",)', "DERIVED names a field"),
        ("rules.py", 'UTILITY: Final = "win"', 'UTILITY: Final = "fun"', "UTILITY is 'fun'"),
        ("rules.py", "CONCEDE: Final = 2 * DECK\n", "CONCEDE: Final = 3 * DECK\n", "CONCEDE is 24"),
        ("rules.py", "MAX_SCORE: Final = HAND", "MAX_SCORE: Final = HAND\nMIN_SCORE = 1", "scores are from 1 to 2"),
    ],
    "legal_actions_are_sound": [
        ("rules.py", "out[n + 1] = DECK + card", "out[n + 1] = card", "unsorted, or occur twice"),
        ("rules.py", "    if is_terminal(state):\n        return 0\n    hand", "    hand", "out of bounds"),
        ("rules.py", "MAX_LEGAL: Final = 2 * HAND + 1", "MAX_LEGAL: Final = 2 * HAND", ""),
        ("rules.py", "MAX_MOVES: Final = 2 * HAND", "MAX_MOVES: Final = HAND", "longer than MAX_MOVES"),
        ("rules.py", "ACTIONS: Final = 2 * DECK + 1", "ACTIONS: Final = DECK", "out of range"),
    ],
    "turns_begin_once": [
        ("rules.py", "== 0 else 1 - player", "== 0 else player if state.n_hand[player] else 1 - player",
         "moves again in the same turn"),
        ("rules.py", "def apply(", "def begins_turn(state: RawPosition) -> bool:\n    return False\n\n\ndef apply(",
         "the player to move changed"),
    ],
    "checks_are_sound": [
        ("rules.py", "def apply(", "def allows(state: RawPosition, action: int) -> bool:\n    return False\n\n\ndef apply(",
         "allows gives False"),
        ("rules.py", "def apply(", "def allows(state: RawPosition, action: int) -> bool:\n"
         "    out = np.zeros(MAX_LEGAL, np.int64)\n    return action in out[: legal_actions(state, out)]\n\n\ndef apply(",
         "allows requires that all see it"),
    ],
    "spoiling_can_be_avoided": [
        ("rules.py", "def apply(", "def spoils(state: RawPosition, action: int) -> bool:\n    return True\n\n\ndef apply(",
         "every action spoils the game"),
        ("rules.py", "def apply(", "def spoils(state: RawPosition, action: int) -> bool:\n"
         "    return action < DECK and i64(state.hands[1 - state.mover]) & 1 != 0\n\n\ndef apply(", "is hidden"),
    ],
    "other_actions_are_refused": [
        ("notation.py", 'return ("refused.card", action % DECK) if', "return '' if", "without a reason"),
        ("notation.py", '    return ("refused', '    state.points[0] ^= 1\n    return ("refused', "changed the state"),
    ],
    "seeds_are_kept": [
        ("rules.py", "    for player in range(2):\n        for _", "    state.void_ties = np.random.randint(2)\n"
         "    for player in range(2):\n        for _", "gave two different games"),
    ],
    "hidden_deals_are_drawn": [
        ("rules.py", "        for _ in range(HAND):\n            rest ^=", "        for _ in range(HAND):\n"
         "            rng = np.ones(4, np.uint64)\n            rest ^=", "all seeds give the same deal"),
        ("__init__.py", "    parameters=(", "    computable=bool,\n    parameters=(", "default parameters are computable"),
    ],
    "copies_are_equal": [
        ("notation.py", "values if STATE", "0 if name == 'points' else values if STATE", "differs"),
    ],
    "notation_is_kept": [
        ("notation.py", "{'?' if action >= DECK else ''}", "", "have the same text"),
        ("notation.py", "DECK * (len(text) - 1)", "0", "reads as"),
        ("notation.py", 'return "x"', 'return "x "', "is 'x ': expected one line"),
    ],
    "views_tell_nothing": [
        ("rules.py", "        if seat == player:\n", "        if seat >= 0:\n", "can distinguish a redeal"),
        ("rules.py", "view.shown = state.shown", "view.shown = state.shown ^ 1", "concealing its view changes it"),
        ("__init__.py", "    players=2,\n", "    players=2,\n    hidden_from_all=True,\n", "knows more than a spectator"),
        ("rules.py", "rest &= ~(i64(state.hands[player]) | i64(state.laid[player]))", "state.mover ^= 1", ""),
        ("rules.py", "in range(state.n_laid[seat])", "in range(i64(0))", "redeal never gives this position"),
        ("rules.py", "in range(state.n_hand[seat])", "in range(i64(0))", "redeal never gives this position"),
    ],
    "random_actions_are_uniform": [
        ("rules.py", "DECK * (which & 1)", "DECK * (which & 0)", "deviations from uniform"),
        ("rules.py", "return member(hand, which >> 1) + DECK * (which & 1)", "return i64(CONCEDE)", "gave up"),
    ],
    "results_are_bounded": [
        ("rules.py", "return 3 ^ i64(state.gave_up)", "return i64(state.gave_up)", "gave up"),
        ("rules.py", "0\n    if state.gave_up != 0", "2\n    if state.gave_up != 0", "before the end"),
        ("rules.py", "out[player] = state.points[player]", "out[player] = 99", "scores [99, 99] are out of bounds"),
        ("rules.py", "out[player] = state.points[player]", "out[player] = -1", "scores [-1, -1] are out of bounds"),
    ],
    "compiled_and_interpreted_agree": [
        # a narrow shift: NumPy computes it in 8 bits, compiled code in 64
        ("rules.py", "bit = i64(1) << member", "bit = np.int8(1) << np.int8(7) >> np.int8(7) << member", ""),
        # an addition that wraps warns when it is interpreted
        ("rules.py", "    card = action % DECK\n", "    card = action % DECK\n    led = np.int8(127) + state.cards\n", ""),
    ],
    "heuristics_are_sound": [
        ("heuristics.py", "return action % DECK if", "return i64(CONCEDE) if", "gives up"),
        ("heuristics.py", "return action % DECK if", "return i64(DECK - 1) if", "not legal"),
        ("heuristics.py", "card = actions[i] % DECK\n", "card = i64(state.hands[1 - state.mover])\n", "is hidden"),
        ("heuristics.py", "def playout_action(", GIVES_UP, "opponent_action gave 16"),
        ("heuristics.py", "def playout_action(", KNOWS_SECRETS, "is_obvious depends on information that is hidden"),
        ("heuristics.py", "out[i] = card if", "out[i] = state.n_hand[0] << 6 if", "differ when"),
    ],
    "levels_are_sound": [
        ("levels.py", "        BEST,\n", "        BEST,\n        BEST,\n", "has 9 levels of its own, expected 1 to 8"),
        ("levels.py", "        BEST,\n    )", "        BEST,\n    )[: 8 - (parameters['cards'] > 5)]", "and 7 by default"),
        ("levels.py", "careless=0.5", "careless=1.5", "level 4 is Level"),
        ("levels.py", "Level(notices=0.8)", "Level(30, careless=0.9)", "expected at most 20 simulations"),
        ("levels.py", "Level(100)", "Level(20)", "not above level 5"),
    ],
    "values_are_sound": [
        ("value.py", "ACTIVE: Final = 2 * HAND + 2", "ACTIVE: Final = 2 * HAND", "out of bounds"),
        ("value.py", "FEATURES: Final = AHEAD + 2 * HAND + 1", "FEATURES: Final = AHEAD", "expected at most 6, of 0 to 24"),
        ("value.py", "    n = 0\n", "    n = 0\n    if player == 1:\n        return i64(-1)\n", "expected at least 0"),
        ("value.py", "def weights(", "def sharing() -> Any:\n    return [0, 1]\n\n\ndef weights(", "expected int64, (30,)"),
        ("value.py", "def weights(", "def sharing() -> Any:\n    import numpy as np\n\n    return np.full(FEATURES, 1)\n\n\n"
         "def weights(", "does not number the weights"),
        ("value.py", 'f"ties-{parameters[\'ties\']}"', "str(parameters)", "expected small letters"),
        ("value.py", "AHEAD + HAND + ", "AHEAD + HAND - state.n_hand[0] + (state.n_hand[0] << 6 >> 6) + ", "when compiled"),
    ],
    "scenes_are_sound": [
        ("scene.py", 'Item(f"hand/{seat}/{place}"', 'Item("hand"', "or the same id: ['hand']"),
        ("scene.py", '"duel-felt", 3.75', '"cloth", 3.75', "no symbol 'cloth'"),
        ("scene.py", "0.2 if card == view.led", 'float("inf") if card == view.led', "cannot be sent"),
        ("scene.py", "TABLE_AT: Final = 3.25", "TABLE_AT: Final = 0.25", "is outside the scene"),
        ("scene.py", 'f"player-{seat}", ("laid"', 'f"Player {seat}", ("laid"', "has the classes"),
        ("scene.py", 'f"hand/{seat}/{view.n_hand[seat]}"', 'f"laid/{seat}/{place}"', "comes from itself"),
        ("scene.py", "start=start)", 'start=start, zone=("laid",))', "items of a zone are not consecutive"),
        ("scene.py", "Scene(WIDTH, ", "Scene(WIDTH + __import__('random').random(), ", "gives another scene"),
        ("scene.py", "    items = (", "    view.led = 0\n    items = (", "changes the view"),
        ("scene.py", "won = int(winners(view))", "won = winners(view)", "cannot be sent"),
        ("scene.py", '(SEAT, won - 1)', '(SEAT, won + 1)', "names the seat"),
        ("scene.py", '(SEAT, won - 1)', '("@list",)', "lists nothing"),
        ("scene.py", "for seat in range(2)), _task", "for seat in range(1)), _task", "standings of players [0]"),
        ("scene.py", '(("cards",), int', '(("cards", seat), int', "different headings"),
        ("scene.py", 'return ("task.answer",)', 'return "answer"', "expected a key"),
        ("scene.py", "for action in legal]", "for action in legal[1:]]", "its choices are"),
        ("scene.py", "DOWN if action >= DECK else TABLE", "TABLE", "same touches as others"),
        ("scene.py", '(), ("give_up",)', "()", "neither touches nor a label"),
        ("scene.py", ', label=("down",)', "", "expected items with labels"),
        ("scene.py", "f\"card/{action % DECK}\", DOWN if", "TABLE, DOWN if", "touches an item twice"),
        ("scene.py", "DECK if spots == [DOWN] else 0", "0", "which has other touches"),
        ("scene.py", '("told.hidden",)', '("told.secret",)', "no text for 'told.secret'"),
        ("scene.py", 'else "told.open", action % DECK)', 'else "told.open",)', "has no arguments {0}"),
        ("__init__.py", "    players=2,\n", "    players=2,\n    perfect_information=True,\n", "their scenes differ"),
        ("notation.py", '("refused.card", action % DECK)', '"not in your hand"', "expected a key"),
        ("scene.py", "player if", "1 - player if", "it is the turn of"),
        ("scene.py", "    view.mover = player", "    view.led = __import__('random').randrange(9)\n    view.mover = player",
         "the plan of seat"),
        ("messages/ro.json", '"told.hidden"', '"told.hiden"', "do not both have ['told.hidden', 'told.hiden']"),
        ("messages/pt.json", "carta {0}", "carta", "has other arguments"),
        ("messages/es.json", '"carta {0}"', '" "', "is empty"),
        ("sprites.svg", "</symbol>", "", "is no XML"),
        ("sprites.svg", 'id="duel-back"', 'id="duel-card"', "twice: ['duel-card']"),
        ("sprites.svg", "<symbol", "<script/><symbol", "has ['<script']"),
        ("style.css", "var(--shade)", "url(https://example.org/felt.png)", "has ['url(']"),
    ],
    "guides_are_sound": [
        ("guide.py", '"6 0 32,6', '"32,6', "section turn of the guide: "),
        ("guide.py", '("guide.aim",),', '"Win",', "the aim in the guide is 'Win'"),
        ("guide.py", '        Section("end", (GuidePart(("guide.end",)),)),\n', "", "has 1 sections: expected 2"),
        ("guide.py", 'Section("end"', 'Section("turn"', "have the same id"),
        ("guide.py", 'Section("end"', 'Section("End"', "expected an id of small letters"),
        ("guide.py", 'Section("end"', 'Section("close"', "no text for 'heading.close'"),
        ("guide.py", '(GuidePart(("guide.end",)),)', "()", "section end of the guide is empty"),
        ("guide.py", 'GuidePart(("guide.end",))', "GuidePart()", "has an empty part"),
        ("guide.py", '("shown.down",)', '("shown.up",)', "no text for 'shown.up'"),
        ("guide.py", '("down",)', '("up",)', "section turn of the guide: no such items in the scene: up"),
        ("guide.py", '("card/0",), (', '("card/9",), (', "no such items in the scene: card/9"),
        ("guide.py", 'Mark(("card/0",)', 'Mark(("down",)', "mark-0 is outside the picture"),
        ("guide.py", "DONE, 1", '"seen", 1', "a mark of kind 'seen'"),
        ("guide.py", "COMES),))", 'COMES),), plays="nine")', "'nine' is no move"),
        ("messages/es.json", '"shown.down"', '"shown.low"', "do not both have ['shown.down', 'shown.low']"),
    ],
    "lessons_are_sound": [
        ("lesson.py", '    LessonStep(("guide.end",), _END),\n', "", "has 7 steps: expected 8 to 12"),
        ("lesson.py", "PARAMETERS: Final[dict[str, Any]] = {}", 'PARAMETERS = {"cards": 9}', "step 1 of the lesson: cards"),
        ("lesson.py", "marked=False", 'parameters={"ties": "lost"}', "step 6 of the lesson: ties"),
        ("lesson.py", "34,12 0,0", "34,12", "step 1 of the lesson: "),
        ("lesson.py", '("5",), ("lesson.led",)', '("3",), ("lesson.led",)', "step 2 of the lesson: 3 is not legal"),
        ("lesson.py", '("5",), ("lesson.led",)', '("five",), ("lesson.led",)', "step 2 of the lesson: 'five' is no move"),
        ("lesson.py", '("guide.end",), _LAST', '("guide.close",), _LAST', "no text for 'guide.close'"),
        ("lesson.py", '("lesson.play", 1)', '("lesson.play",)', "has no arguments {0}"),
        ("lesson.py", '("lesson.kept",)', '"well done"', "the text `then` of step 4 of the lesson is 'well done'"),
        ("lesson.py", ', (), ("guide.end",)', "", "the text `then` of step 1 of the lesson is ''"),
        ("lesson.py", "_END),", '_END, ("lesson.take",), (), ("lesson.took",)),', "but the game is over"),
        ("lesson.py", "_END),", '_END, then=("lesson.took",)),', "step 8 of the lesson has no text `asked`"),
        ("lesson.py", "_END),", "_END, marked=False),", "step 8 of the lesson has no text `asked`"),
        ("lesson.py", "marked=False", 'otherwise=("lesson.other",)', "no text for 'lesson.other'"),
        ("messages/ro.json", '  "lesson.take": "ia levata",\n', "", "do not both have ['lesson.take']"),
    ],
    "playthrough_is_kept": [
        ("rules.py", "BEST: Final = 1\n", "BEST: Final = -1\n", "line"),
        ("playthrough.txt", "seed: 2", "seed: two", "seed"),
    ],
}  # fmt: skip
COMPILING = ("compiled_and_interpreted_agree", "heuristics_are_sound", "values_are_sound")
CASES = [
    pytest.param(law, *row, id=f"{law}-{number}", marks=[pytest.mark.slow] if law in COMPILING else [])
    for law, rows in BROKEN.items()
    for number, row in enumerate(rows)
]


@pytest.mark.parametrize(("law", "file", "old", "new", "says"), CASES)
def test_a_broken_game_is_caught(law: str, file: str, old: str, new: str, says: str, tmp_path: Path) -> None:
    spec = mutants.load(tmp_path, file, old, new)
    errors = (BrokenLawError, ContractError, LookupError, RuntimeWarning)
    with pytest.raises(errors, match=re.escape(says) if says else None):
        LAW[law](spec, EFFORT)


@pytest.mark.parametrize("number", ["i64(state.chips[1 - first]) / 2", "i64(state.played) / 3"])
def test_an_observation_that_does_not_settle_the_game_is_caught(number: str, tmp_path: Path) -> None:
    spec = mutants.load(tmp_path, "features.py", number, "0", Path(kuhn.__file__).parent)
    with pytest.raises(BrokenLawError, match=r"the observation is the same in .*, where the game goes on in another way"):
        LAW["observations_are_sufficient"](spec, EFFORT)


def test_a_game_without_a_playthrough_fails_by_name(tmp_path: Path) -> None:
    spec = mutants.load(tmp_path)
    (tmp_path / spec.name / "playthrough.txt").unlink()
    with pytest.raises(ContractError, match=f"the game {spec.name} has no playthrough"):
        LAW["playthrough_is_kept"](spec, EFFORT)


def test_english_is_enough_for_a_game_from_elsewhere(tmp_path: Path) -> None:
    spec = mutants.load_english(tmp_path)
    LAW["scenes_are_sound"](spec, EFFORT)
    spec.file("messages/en.json").rename(spec.file("messages/ro.json"))
    with pytest.raises(BrokenLawError, match="it has no messages in en"):
        LAW["scenes_are_sound"](spec, EFFORT)


@pytest.mark.parametrize(("copied", "to"), [("en", "es"), ("es", "ca")])
def test_a_copied_catalogue_is_no_translation(copied: str, to: str, tmp_path: Path) -> None:
    spec = mutants.load(tmp_path)
    shutil.copyfile(spec.file(f"messages/{copied}.json"), spec.file(f"messages/{to}.json"))
    with pytest.raises(BrokenLawError, match=r"messages/(ca|es)\.json and messages/(es|en)\.json share 30 of 30 texts"):
        LAW["scenes_are_sound"](spec, EFFORT)


def test_a_broken_law_names_the_position_so_that_it_can_be_looked_at(tmp_path: Path) -> None:
    spec = mutants.load(tmp_path, "rules.py", "out[player] = state.points[player]", "out[player] = 99")
    with pytest.raises(BrokenLawError, match=r"in ludoteca\.load\('mutant.*state_from_string\('"):
        LAW["results_are_bounded"](spec, EFFORT)
