"""The description of the API is true of a real server, whatever it is asked; and the bot of `docs/api.md` plays by it."""

import runpy
import sys
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from ludoteca.server.http.api import OPERATIONS
from ludoteca.server.http.openapi import Operation, document
from ludoteca.server.refusals import CODES
from tests.missing import needs_pictures
from tests.server.serving import OPEN, Served, agent, me

BOT = Path(__file__).parents[2] / "examples" / "api" / "bot.py"
DOCUMENT = document(OPERATIONS, "1", "")
SCHEMA = schemathesis.openapi.from_dict(DOCUMENT)
CHECKS = [
    not_a_server_error,
    content_type_conformance,
    negative_data_rejection,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
]
POSITIVE, NEGATIVE = schemathesis.GenerationMode.POSITIVE, schemathesis.GenerationMode.NEGATIVE
MAY_BE_WRONG = [each for each in OPERATIONS if each.takes is not None or "{room}" in each.path]


def described(operation: Operation) -> dict[str, Any]:
    found: dict[str, Any] = DOCUMENT["paths"][operation.path][operation.method.lower()]
    return found


def test_every_refusal_that_an_operation_names_is_one() -> None:
    for operation in OPERATIONS:
        assert set(operation.refusals) <= CODES.keys()
        assert {str(status) for status in operation.statuses()} <= described(operation)["responses"].keys()


def test_it_is_served_as_it_is(server: Served) -> None:
    found = server.http.get("/api/openapi.json").json()
    assert found["paths"] == DOCUMENT["paths"]
    assert all(described(operation)["summary"] and described(operation)["operationId"] for operation in OPERATIONS)


def asked(operation: Operation, mode: Any) -> object:
    marks = [needs_pictures] if operation.path.endswith((".png", ".gif")) else []
    return pytest.param(operation, mode, marks=marks, id=f"{operation.method} {operation.path}-{mode.value}")


@pytest.mark.parametrize(
    ("operation", "mode"),
    [*(asked(each, POSITIVE) for each in OPERATIONS), *(asked(each, NEGATIVE) for each in MAY_BE_WRONG)],
)
def test_whatever_is_asked_is_answered_as_described(operation: Operation, mode: Any, server: Served) -> None:
    running = server.make("okupacio", me(), OPEN)["room"]

    @given(case=SCHEMA[operation.path][operation.method].as_strategy(generation_mode=mode))
    @settings(
        max_examples=max(3, settings.default.max_examples // 16) if settings.default else 3,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    def ask(case: Any) -> None:
        if mode is POSITIVE and len(str(case.path_parameters.get("room", ""))) % 2:  # half of the rooms are there
            case.path_parameters["room"] = running
        case.call_and_validate(base_url=f"http://{server.address}", checks=CHECKS)

    ask()


@needs_pictures
def test_a_game_that_is_over_is_described(server: Served) -> None:
    made = server.make("okupacio", agent("random"), agent("random"), parameters={"players": 2, "board": "4 4 16"})
    with server.connect(made["room"]) as client:
        client.hello()
        while client.whole.get("mover") != -4 and client.until("event").get("over") is None:
            pass
    for operation in OPERATIONS:
        if "{room}" in operation.path and operation.method != "DELETE" and operation.takes is None:
            case = SCHEMA[operation.path][operation.method].Case(path_parameters={"room": made["room"]})
            answer = case.call(base_url=f"http://{server.address}")
            assert answer.status_code in (operation.status, 404), answer.text
            case.validate_response(answer, checks=CHECKS)


@pytest.mark.parametrize("game", ["conclave", "okupacio"])
def test_the_bot_of_the_examples_plays(server: Served, game: str) -> None:
    returns = runpy.run_path(str(BOT))["play"](f"http://{server.address}", game, "random")
    assert len(returns) == 2
    assert all(isinstance(each, float) for each in returns)


def test_the_bot_says_why_it_was_refused(server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", [str(BOT), f"http://{server.address}", "okupacio", "nobody"])
    with pytest.raises(SystemExit, match="400: agent"):
        runpy.run_path(str(BOT), run_name="__main__")
