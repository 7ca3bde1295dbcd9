"""The document's branches, by sentence. The cases of each part cover them."""

from collections.abc import Collection
from typing import Final

from ludoteca.core.judging import DECISION, DOCUMENT, PUBLISHED, Branch

SETS: Final = ("1.3", "Conjunto de uma até quatro cartas todas com o mesmo valor mas de naipes diferentes")
SEQUENCES: Final = (
    "1.3",
    "Sequência de três ou mais cartas de valores consecutivos (não necessariamente todas do mesmo naipe)",
)
DOUBLES: Final = ("1.3", "Dupla sequência de três ou mais pares de valores consecutivos.")
SIZE_OF_DOUBLES: Final = (
    "1.3",
    "O tamanho de uma dupla sequência é o número de valores diferentes e consecutivos. Assim, uma dupla sequência de "
    "tamanho três contém três pares consecutivos de quaisquer naipes.",
)
VALUES: Final = ("1.1", "A ordem ascendente dos valores é: A 2 3 4 5 6 7 8 9 10 J C Q K")
SUITS: Final = ("1.1", "A ordem dos naipes é: ♠ ♥ ♦ ♣")
HIGHER_CARD: Final = (
    "1.3",
    "Uma carta é mais alta se tiver o valor mais alto ou, sendo os valores iguais, se tiver um naipe mais valioso.",
)
HIGHEST_CARD: Final = ("1.3", "Para comparar duas combinações, comparamos a carta mais alta de cada combinação.")
SAME_KIND: Final = (
    "1.3",
    "Uma combinação só pode ser seguida de uma combinação do mesmo tipo e com o mesmo número de cartas.",
)
HIGHER: Final = (
    "1.2",
    "A resposta tem de ser uma combinação cuja carta mais alta seja superior à carta mais alta da combinação jogada ou "
    "passar.",
)
ANSWER: Final = (
    "1.2",
    "Se jogarmos após outro jogador, temos que jogar uma combinação igual e com o mesmo número de cartas.",
)
LEAD: Final = ("1.2", "Se for o primeiro a jogar, o jogador pode escolher qualquer combinação válida.")
LEAD_AGAIN: Final = (
    "1.2",
    "Caso todos os outros jogadores passarem, a ronda acabou e somos nós a começar a jogar novamente e por isso podemos "
    "jogar qualquer combinação.",
)
MAY_PASS: Final = ("1.2", "Não é obrigatório jogar mesmo que o possa fazer.")
KING_FOUR: Final = ("1.3", "Um rei (K) pode ser seguido de um conjunto de quatro cartas iguais")
KING_DOUBLE: Final = ("1.3", "Um rei (K) pode ser seguido por uma dupla sequência de tamanho três")
TWO_KINGS: Final = ("1.3", "Um par de reis pode ser seguido por uma dupla sequência de tamanho quatro")
THREE_KINGS: Final = ("1.3", "Um trio de reis pode ser seguido por uma dupla sequência de tamanho cinco.")
EXCEPTIONS: Final = (
    "1.3",
    "Existem algumas exceções à regra de que uma combinação tenha que ser seguida de outra com o mesmo tipo e número de "
    "cartas",
)
AFTER_EXCEPTION: Final = (
    "1.3",
    "A seguir a uma destas combinações tem que se seguir outra do mesmo tipo mas mais valiosa.",
)
CLASSIFY: Final = (
    "2",
    "Dado um conjunto de cartas, imprimir qual é o tipo de combinação que este conjunto de cartas representa e qual é a "
    "carta mais alta dessa combinação",
)
COMPARE: Final = ("2", "Dadas várias combinações, dizer se são compatíveis e ordená-las")
NEW_HAND: Final = (
    "2",
    "Dada a informação apresentada ao jogador para o torneio e a jogada do jogador, imprimir a nova mão desse jogador.",
)
SAME_HAND: Final = ("2", "Deverá imprimir-se a mesma mão caso a jogada seja inválida")
ALL_PLAYS: Final = (
    "2",
    "Dada a última combinação jogada e as cartas da mão, apresentar todas as combinações possíveis que se pode jogar nessa "
    "posição ou escrever PASSO.",
)
COMBINATION: Final = ("1.2", "Na sua vez, o jogador pode jogar uma combinação de cartas permitida ou passar a vez.")
LINE_OF_CARDS: Final = ("3.4", "Uma linha com as suas cartas")
LINES_OF_PLAYS: Final = (
    "3.4",
    "As combinações jogadas até agora por cada jogador, ou a palavra PASSO se esse jogador passou (uma por cada linha)",
)
ONE_LINE: Final = ("3.4", "E que imprima qual é a combinação que joga ou a palavra PASSO.")

Sentence = tuple[str, str]


SOURCES: Final = {
    "few-passes": DECISION,  # 1.2 has only passes after a play, and published programs differ
    "all-nothing": DECISION,  # published programs differ
    "after-passo": DECISION,  # guião 4 is given a combination, and a pass is none
    "cards-ascending": PUBLISHED,
    "kings-order": PUBLISHED,
    "many": PUBLISHED,
    "nothing-among": PUBLISHED,
    "passo": PUBLISHED,
}
"""The source of a branch, if it is not the document alone."""


def branches(least: int, once: Collection[str], **sentences: Sentence) -> tuple[Branch, ...]:
    """Return branches by their keys, with `_` for `-`.

    `least` cases of a set cover each. One case covers those in `once`, and no usual case a decision.
    """
    keys = {name.replace("_", "-"): sentence for name, sentence in sentences.items()}
    sources = {key: SOURCES.get(key, DOCUMENT) for key in keys}
    number = {key: 0 if source == DECISION else 1 if key in once else least for key, source in sources.items()}
    return tuple(Branch(key, *sentence, number[key], sources[key]) for key, sentence in keys.items())


GUIAO1: Final = branches(
    3,
    ("queen", "red-suits"),
    set_1=SETS,
    set_2=SETS,
    set_3=SETS,
    set_4=SETS,
    sequence_3=SEQUENCES,
    sequence_long=SEQUENCES,
    sequence_14=SEQUENCES,
    double_3=SIZE_OF_DOUBLES,
    double_long=DOUBLES,
    two_pairs=DOUBLES,
    two_cards=SEQUENCES,
    gap=SEQUENCES,
    uneven=DOUBLES,
    triples=DOUBLES,
    strangers=SETS,
    king_ace=VALUES,
    ace_low=VALUES,
    knight=VALUES,
    queen=VALUES,
    no_knight=VALUES,
    suit=HIGHER_CARD,
    red_suits=HIGHER_CARD,
    value_first=HIGHER_CARD,
    many_suits=SEQUENCES,
    unsorted=CLASSIFY,
)
GUIAO2: Final = branches(
    3,
    ("far", "gap", "ace-low", "red-suits", "other-type", "other-length", "double-length"),
    sets=COMPARE,
    sequences=COMPARE,
    doubles=COMPARE,
    other_type=SAME_KIND,
    other_size=SAME_KIND,
    other_length=SAME_KIND,
    double_length=SAME_KIND,
    third_differs=SAME_KIND,
    double_size=SIZE_OF_DOUBLES,
    nothing_among=COMPARE,
    gap=SEQUENCES,
    all_nothing=COMPARE,
    one=COMPARE,
    by_highest=HIGHEST_CARD,
    far=HIGHEST_CARD,
    not_by_lowest=HIGHEST_CARD,
    value_first=HIGHER_CARD,
    ace_low=VALUES,
    knight=VALUES,
    suit=SUITS,
    red_suits=SUITS,
    cards_ascending=VALUES,
    unsorted=COMPARE,
)
GUIAO3: Final = branches(
    3,
    (
        "passes-apart",
        "several-plays",
        "two-cards",
        "two-pairs",
        "gap",
        "uneven",
        "triples",
        "overlap",
        "not-by-lowest",
        "four-kings",
        "four-kings-double",
        "four-kings-pairs",
        "no-king-four",
        "double-after-fours",
        "fours-after-double",
        "king-after-fours",
        "ace-low",
        "other-size",
        "kings-other",
        "kings-fours",
        "no-king",
    ),
    lead=LEAD,
    lead_nothing=LEAD,
    two_cards=SEQUENCES,
    two_pairs=DOUBLES,
    gap=SEQUENCES,
    uneven=DOUBLES,
    triples=DOUBLES,
    few_passes=LEAD,
    three_passes=LEAD_AGAIN,
    no_pass=ANSWER,
    one_pass=LEAD_AGAIN,
    two_passes=LEAD_AGAIN,
    passes_apart=LEAD_AGAIN,
    few_plays=LINES_OF_PLAYS,
    several_plays=LINES_OF_PLAYS,
    higher=HIGHER,
    overlap=HIGHER,
    not_by_lowest=HIGHER,
    lower=HIGHER,
    suit_higher=HIGHER_CARD,
    suit_lower=HIGHER_CARD,
    other_type=ANSWER,
    other_size=ANSWER,
    other_kind=ANSWER,
    passo=MAY_PASS,
    not_in_hand=SAME_HAND,
    no_combination=SAME_HAND,
    king_four=KING_FOUR,
    king_double=KING_DOUBLE,
    two_kings=TWO_KINGS,
    three_kings=THREE_KINGS,
    kings_other=EXCEPTIONS,
    kings_fours=EXCEPTIONS,
    four_kings=EXCEPTIONS,
    four_kings_double=EXCEPTIONS,
    four_kings_pairs=EXCEPTIONS,
    no_king=EXCEPTIONS,
    no_king_four=EXCEPTIONS,
    after_exception=AFTER_EXCEPTION,
    double_after_fours=AFTER_EXCEPTION,
    fours_after_double=AFTER_EXCEPTION,
    exception_higher=AFTER_EXCEPTION,
    king_after=AFTER_EXCEPTION,
    king_after_fours=AFTER_EXCEPTION,
    ace_low=VALUES,
    empty_hand=NEW_HAND,
    cards_ascending=VALUES,
    unsorted=LINE_OF_CARDS,
)
GUIAO4: Final = branches(
    3,
    (
        "ace-low",
        "kings-fours",
        "four-kings",
        "four-kings-double",
        "four-kings-pairs",
        "no-king",
        "no-king-four",
        "many",
    ),
    answer_set=ANSWER,
    answer_sequence=ANSWER,
    answer_double=ANSWER,
    suit_higher=HIGHER_CARD,
    suit_lower=HIGHER_CARD,
    lower=HIGHER,
    all_suits=ALL_PLAYS,
    nothing=ALL_PLAYS,
    king_four=KING_FOUR,
    king_double=KING_DOUBLE,
    two_kings=TWO_KINGS,
    three_kings=THREE_KINGS,
    kings_order=KING_FOUR,
    kings_higher=HIGHER,
    kings_fours=EXCEPTIONS,
    four_kings=EXCEPTIONS,
    four_kings_double=EXCEPTIONS,
    four_kings_pairs=EXCEPTIONS,
    no_king=EXCEPTIONS,
    no_king_four=EXCEPTIONS,
    after_passo=ALL_PLAYS,
    king_ace=VALUES,
    ace_low=VALUES,
    many=ALL_PLAYS,
    cards_ascending=VALUES,
    unsorted=LINE_OF_CARDS,
)
JOGADOR: Final = branches(
    2,
    ("several-plays", "other-type", "four-kings", "no-king", "king-after-fours", "king-ace", "gap", "two-pairs"),
    lead=LEAD,
    few_passes=LEAD,
    three_passes=LEAD_AGAIN,
    no_pass=ANSWER,
    one_pass=LEAD_AGAIN,
    two_passes=LEAD_AGAIN,
    few_plays=LINES_OF_PLAYS,
    several_plays=LINES_OF_PLAYS,
    answer=ANSWER,
    answer_set=ANSWER,
    answer_sequence=ANSWER,
    answer_double=ANSWER,
    other_type=ANSWER,
    other_size=ANSWER,
    lower=HIGHER,
    suit_lower=HIGHER_CARD,
    nothing=HIGHER,
    king_four=KING_FOUR,
    king_double=KING_DOUBLE,
    two_kings=TWO_KINGS,
    three_kings=THREE_KINGS,
    kings_other=EXCEPTIONS,
    kings_fours=EXCEPTIONS,
    four_kings=EXCEPTIONS,
    no_king=EXCEPTIONS,
    after_exception=AFTER_EXCEPTION,
    king_after=AFTER_EXCEPTION,
    king_after_fours=AFTER_EXCEPTION,
    king_ace=VALUES,
    gap=SEQUENCES,
    two_pairs=DOUBLES,
    few_cards=LEAD,
    last_cards=COMBINATION,
    long_history=LINES_OF_PLAYS,
    combination=COMBINATION,
    one_line=ONE_LINE,
    unsorted=LINE_OF_CARDS,
)
