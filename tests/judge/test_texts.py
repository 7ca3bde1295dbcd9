"""The judge's texts in five languages."""

import json
from pathlib import Path

import pytest

import ludoteca.judge
from ludoteca.core.messages import LANGUAGES, places
from ludoteca.judge.reports import verdict_key
from ludoteca.judge.verdicts import Verdict


def texts(language: str) -> dict[str, str]:
    file = Path(ludoteca.judge.__path__[0], "messages", f"{language}.json")
    found: dict[str, str] = json.loads(file.read_text(encoding="utf-8"))
    return found


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_every_text(language: str) -> None:
    asked = {key: places(template) for key, template in texts("en").items()}
    assert {key: places(template) for key, template in texts(language).items()} == asked
    assert all(template.strip() for template in texts(language).values())


def test_every_verdict_has_a_name() -> None:
    assert {verdict_key(verdict) for verdict in Verdict} <= texts("en").keys()
