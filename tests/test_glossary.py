"""No catalogue has a word that the glossary rules out. The words of the glossary are there."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import ludoteca

GLOSSARY = (Path(__file__).parents[1] / "docs" / "glossary.md").read_text(encoding="utf-8")
FILES = sorted(Path(ludoteca.__file__).parent.rglob("messages/*.json"))


def rows(text: str) -> Iterator[list[str]]:
    for line in text.splitlines():
        if line.startswith("| ") and not line.startswith("|--"):
            yield [cell.strip() for cell in line.strip("|").split("|")]


RULED_OUT = [
    (language, word) for language, words, _ in rows(GLOSSARY.partition("## Words that")[2]) if len(language) == 2
    for word in words.split(", ")
]  # fmt: skip


def found(language: str, word: str) -> list[str]:
    """The texts with this whole word."""
    pattern = re.compile(rf"(?<!\w){re.escape(word)}(?!\w)", re.IGNORECASE)
    return [
        f"{file.parent.parent.name}: {key}: {text}"
        for file in FILES
        if file.stem == language
        for key, text in json.loads(file.read_text(encoding="utf-8")).items()
        if pattern.search(text)
    ]


def test_there_are_words_to_look_for() -> None:
    assert {language for language, _ in RULED_OUT} == {"ca", "es", "pt", "ro"}
    assert found("ca", "partida"), "what is there is found"


@pytest.mark.parametrize("language", ["ca", "es", "pt", "ro"])
def test_no_text_has_a_word_that_is_ruled_out(language: str) -> None:
    assert [place for ruled, word in RULED_OUT if ruled == language for place in found(language, word)] == []
