"""Messages in words: templates, names of seats, lists."""

import pytest

from ludoteca.core.errors import ContractError
from ludoteca.core.messages import LANGUAGES, LIST, SEAT, Message, catalogue, in_words

TEMPLATES = {language: catalogue("ludoteca.core", language) for language in LANGUAGES}


@pytest.mark.parametrize(
    ("language", "one", "two", "three"),
    [
        ("ca", "Ana", "Ana i Bob", "Ana, Bob i Ivo"),
        ("pt", "Ana", "Ana e Bob", "Ana, Bob e Ivo"),
        ("ro", "Ana", "Ana și Bob", "Ana, Bob și Ivo"),
        ("es", "Ana", "Ana y Bob", "Ana, Bob e Ivo"),
        ("en", "Ana", "Ana and Bob", "Ana, Bob and Ivo"),
    ],
)
def test_a_list_is_written_as_in_the_language(language: str, one: str, two: str, three: str) -> None:
    lists: list[Message] = [(LIST, "Ana"), (LIST, "Ana", "Bob"), (LIST, "Ana", "Bob", "Ivo")]
    assert [in_words(each, TEMPLATES[language]) for each in lists] == [one, two, three]


@pytest.mark.parametrize(("last", "text"), [("Iris", "e"), ("hilo", "e"), ("hielo", "y"), ("Hiato", "y"), ("Ángel", "y")])
def test_spanish_does_not_write_y_before_the_sound_of_i(last: str, text: str) -> None:
    assert in_words((LIST, "Ana", last), TEMPLATES["es"]) == f"Ana {text} {last}"


def test_a_list_has_messages_and_names_in_it() -> None:
    listed = (LIST, (SEAT, 0), (SEAT, 1), ("line.many", 7))
    assert in_words(listed, TEMPLATES["en"], ["{1}"]) == "{1}, player 2 and 7 lines"


def test_what_has_no_text_is_refused() -> None:
    with pytest.raises(ContractError, match="there is no text for 'nowhere'"):
        in_words(("nowhere", 1), TEMPLATES["en"])
