"""Wanted differences: each rule normalises one, on both sides, and hides nothing else."""

from typing import Final, NamedTuple


class Wanted(NamedTuple):
    """A difference that a commit meant to make."""

    kind: str
    """`rooms`, `scenes`, `commands`, `engine` or `judging`."""
    cases: str
    """A regular expression that matches the whole name of each case in which the difference is expected."""
    pattern: str
    """A regular expression that is searched in the result of such a case, written as JSON. A missing case is `null`."""
    replacement: str
    """The text in place of each match. The result is JSON again."""
    reason: str
    commit: str


# for example:
# Wanted("commands", r"help/serve", r"open the browser[^\"]*?screen", "OPEN", "the option says when it applies", "1a2b3c4")
IDENTITY: Final = "positions have an identity, which requests carry as `n` in place of the number of moves"
NAMES: Final = "in SVG, the name of the game begins each id and each class"
TO_THE_BLANK_LINE: Final = r"(?:(?!\\n\\n).)*"
TERMINAL: Final = "rules and captions in the terminal describe the terminal"
CAPTIONS: Final = {
    "cartas": "Your hand|The first line|La teva mà|La primera l|Tu mano|A tua mão|A primeira l|Mâna ta|Prima linie",
    "conclave": "A game of three|Comença|Empieza|Começa|Începe|Player 1 may cede|The table has|El jugador 1 p|La taula té|"
    "La tabla|O jogador 1 p|A tabela|Jucătorul 1 p|Tabelul",
    "qinto": "In the corner|Each tile is|Al racó|Cada fitxa s|En la esquina|Cada ficha se|No canto|O nome de cada|În colț|"
    "Fiecare piesă este",
}
"""The first words of captions that differ, by game."""
OPTIONS: Final = "an option has one name, one type and one help text in all commands"
OPTIONS_OF: Final = (
    r"analyse|bench|bot (?:check|connect|replay)|dataset \w+(?: \w+)?|judge|match \w+|play(?: \w+)?|record \w+|solve \w+|"
    r"tournament|train \w+"
)
"""The commands whose options have other names, types or help texts."""
WANTED: Final[tuple[Wanted, ...]] = (
    Wanted("rooms", ".*", r', "position_n": \d+', "", IDENTITY, "5152977"),
    Wanted("rooms", ".*", r'("t": "(?:previewed|planned|hinted|text)", "id": \d+), "n": \d+', r"\1", IDENTITY, "5152977"),
    Wanted("rooms", ".*", r'\["error\.stale"[^]]*\]', '["error.stale"]', IDENTITY, "5152977"),
    Wanted("rooms", ".*", r', "declined": \{[^}]*\}', "", "questions can be declined", "0ba9913"),
    Wanted("rooms", ".*", r', "hints": (?:true|false)', "", "the room says who may ask for hints", "0ba9913"),
    Wanted("rooms", "agents/okupacio-.*", r'"left": \[[^]]*\]', '"left": []', "undo takes increments back", "0ba9913"),
    Wanted("rooms", ".*", r', "may_delete": (?:true|false)', "", "no maker deletes another person's game", "0ba9913"),
    Wanted(
        "commands", "help/serve", r"  --proxy ADDRESS.*?given again\\n", "", "the server believes other proxies", "ef2dc9b"
    ),
    Wanted(
        "commands", "(?:help|wrong)/admin.*", ".+", '"ADMIN"', "`admin` checks arguments and has new commands", "0205094"
    ),
    Wanted(
        "judging",
        r"judge/cartas/guiao3_replay\.py/0",
        r'"sentences": \[\{.*?\}\]',
        '"sentences": []',
        "a new mutant gives a wrong program its own sentence",
        "39878ce",
    ),
    Wanted(
        "judging",
        r"judge/metro/student\.pl/.*",
        r'("verdict": "[^"]*"), "cases".*\}\}',
        r"\1}}",
        "cases of Metro ask one predicate each; verdicts stay",
        "26c95fe",
    ),
    Wanted("commands", r"(?:help|wrong)/dataset.*", ".+", '"DATASET"', "a dataset is a folder of Parquet files", "d1b7482"),
    Wanted("scenes", "(?:scene|picture)/.*", "<style>.*?</style>", "", NAMES, "defb2f6"),
    Wanted(
        "scenes",
        "(?:scene|picture)/.*",
        r'((?:\\"|[ (])#?)(?:(?:cartas|conclave|metro|okupacio|qinto)-)+',
        r"\1",
        NAMES,
        "defb2f6",
    ),
    Wanted("scenes", "picture/.*--sheet.*", r'(\\"#?)(?:i\d+|[0-9a-f]{12})(?=\\")', r"\1ITEM", NAMES, "defb2f6"),
    Wanted(
        "scenes",
        "picture/.*--plain.*",
        r'"files": \{.*?\}',
        '"files": {}',
        "plain SVG has other ids and no baselines",
        "7a3080c",
    ),
    Wanted("commands", "help/record (?:svg|png|gif)", ".+", '"HELP"', "help texts are sentences", "7b8724b"),
    Wanted(
        "commands",
        "help/(?:serve|console|judge|bot.*|match .*|tournament|record.*|analyse|solve.*|train.*|bench)",
        ".+",
        '"HELP"',
        "help texts are sentences",
        "f0986ce",
    ),
    Wanted("commands", "shown/serve --limits", ".+", '"HELP"', "help texts are sentences", "96d48e7"),
    Wanted("commands", "wrong/(?:solve|bot|record|train)", ".+", '"HELP"', "help texts are sentences", "f0986ce"),
    Wanted("commands", "wrong/serve .*", r"expected .*?\\n", "EXPECTED", "errors name an example", "96d48e7"),
    Wanted("commands", "wrong/analyse .*", ": only SVG is written", "", "the error said it twice", "4b42d36"),
    Wanted(
        "commands",
        "wrong/solve cartas",
        "cartas: something is hidden.*?value|cartas cannot be solved.*?everything",
        "HIDDEN",
        "the error says what players do not see",
        "62becd6",
    ),
    Wanted(
        "commands",
        "wrong/judge .*",
        r"there is no program .*?\\n",
        "NONE",
        "the error does not show the whole PATH",
        "620432a",
    ),
    Wanted(
        "commands",
        r"wrong/bot check okupacio -- \./missing",
        r'("status": )[12](.*?)(?:missing|program): there',
        r"\g<1>2\2program: there",
        "a program that is missing is a wrong value",
        "620432a",
    ),
    Wanted(
        "commands",
        "wrong/match okupacio --seed .*",
        ".+",
        '"SEED"',
        "the help of --seed shows no largest number",
        "5c334a5",
    ),
    *(
        Wanted(
            "scenes", rf"screen/{game}\b.*", rf"\\n\\n(?:{first}){TO_THE_BLANK_LINE}", r"\\n\\nCAPTION", TERMINAL, "868cf06"
        )
        for game, first in CAPTIONS.items()
    ),
    Wanted(
        "scenes",
        r"screen/conclave\b.*",
        rf"• (?:A magic|Una màgia|Una magia|Uma magia|O magie), {TO_THE_BLANK_LINE}",
        "MAGIC",
        TERMINAL,
        "868cf06",
    ),
    Wanted("commands", f"help/(?:{OPTIONS_OF})", ".+", '"HELP"', OPTIONS, "a23952a9"),
    Wanted("commands", f"wrong/(?:{OPTIONS_OF}) --[a-z-]+(?: wrong| -7)?", ".+", '"OPTION"', OPTIONS, "a23952a9"),
    Wanted(
        "commands",
        "wrong/(?:bench --time 0|train okupacio --time x|record gif .* --delay -1|dataset records.*)",
        ".+",
        '"OPTION"',
        OPTIONS,
        "a23952a9",
    ),
)
