"""Programs that take a seat: what `ludoteca bot connect` refuses, and how it reports faults."""

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from ludoteca.cli.commands import command
from ludoteca.cli.seat import Link, RoomError
from tests.arena.programs import script
from tests.server.serving import OPEN, Served, agent, me

EXAMPLES = Path(__file__).parents[2] / "examples" / "bots"
FIRST = (str(EXAMPLES / "first.sh"),)


def link_to(server: Served, room: str, secret: str = "") -> str:
    return f"http://{server.address}/room/{room}{secret and '#' + secret}"


def seat(link: str, *program: str, options: tuple[str, ...] = ()) -> Result:
    return CliRunner().invoke(command, ["bot", "connect", link, *options, "--", *program])


@pytest.mark.parametrize(
    ("program", "options", "name"),
    [("false", (), "false"), ("false", ("--name", "Ana"), "Ana"), ("sh FOLDER/my-bot.sh", (), "my-bot")],
)
def test_a_seat_has_the_chosen_name_or_that_of_the_program(
    server: Served, tmp_path: Path, program: str, options: tuple[str, ...], name: str
) -> None:
    (tmp_path / "my-bot.sh").write_text("exit 1\n")
    made = server.make("okupacio", OPEN, agent("random"), parameters={"board": "4x4"})
    seat(link_to(server, made["room"]), *program.replace("FOLDER", str(tmp_path)).split(), options=options)
    with server.join(made["room"]) as spectator:
        assert spectator.whole["seats"][0]["name"] == name


@pytest.mark.parametrize(
    ("move", "said"),
    [
        ("echo zz9", "unreadable: it answered 'zz9': "),
        ('echo "$first"; exit 3', "exit: it ended with exit status 3"),
    ],
)
def test_a_fault_gives_the_game_up_with_a_word(server: Served, tmp_path: Path, move: str, said: str) -> None:
    made = server.make("okupacio", me(), agent("random"), parameters={"board": "4x4"})
    done = seat(link_to(server, made["room"], made["token"]), *script(tmp_path, move=move))
    assert done.exit_code == 1
    assert f"the program gave up the game after a fault. {said}" in done.stdout
    assert "  > ludoteca 1\n" in done.stdout or "  > legal " in done.stdout
    with server.join(made["room"]) as spectator:
        assert spectator.whole["over"]["returns"] == [0.0, 1.0]


def test_rooms_that_have_no_seat(server: Served) -> None:
    made = server.make("okupacio", me(), agent("random"), parameters={"board": "4x4"})
    link = link_to(server, made["room"])
    links = link, link_to(server, "nowhere"), f"{link}#{'x' * 32}"
    full, unknown, stranger = (seat(each, *FIRST) for each in links)
    assert [type(done.exception) for done in (full, unknown, stranger)] == [RoomError] * 3
    assert "no seat is open any more" in str(full.exception)
    assert "this game does not exist" in str(unknown.exception)
    assert "this link belongs to no seat in this game" in str(stranger.exception)
    nobody = seat("http://127.0.0.1:9/room/x", *FIRST)
    assert "no server answers at http://127.0.0.1:9" in str(nobody.exception)
    missing = seat(link, "./nothing")
    assert "missing: " in str(missing.exception)


def test_a_server_of_another_version(server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that does not know the request for the position in notation."""
    monkeypatch.setattr("ludoteca.cli.seat.READ", "recite")
    made = server.make("okupacio", me(), agent("random"), parameters={"board": "4x4"})
    done = seat(link_to(server, made["room"], made["token"]), *FIRST)
    assert "has another version of Ludoteca" in str(done.exception)


@pytest.mark.parametrize(
    ("text", "link"),
    [
        ("https://x.org/room/a-b_1", Link("https://x.org", "a-b_1", "", "")),
        ("https://x.org/club/games/room/ab#t", Link("https://x.org/club/games", "ab", "t", "")),
        (" http://127.0.0.1:8000/room/ab#invited=c-d ", Link("http://127.0.0.1:8000", "ab", "", "c-d")),
        ("http://[::1]:80/room/ab/#tok", Link("http://[::1]:80", "ab", "tok", "")),
    ],
)
def test_links(text: str, link: Link) -> None:
    assert Link.read(text) == link
    assert link.socket.startswith(("ws://", "wss://"))


@pytest.mark.parametrize("text", ["", "room", "http://x/lobby", "ftp://x/room/a", "http://x/room/a#b#c"])
def test_what_is_no_link(text: str) -> None:
    with pytest.raises(RoomError, match="expected a room's link"):
        Link.read(text)
