"""A bot that plays a whole game over the API of a server: `python bot.py http://127.0.0.1:8000 GAME [LEVEL]`.

It needs the packages httpx and websockets, but not Ludoteca. The bot has the first seat, and agents of LEVEL have the other
seats. It plays at random. Replace the body of `choose` by your own choice.
"""

import json
import random
import sys

import httpx
from websockets.sync.client import connect


def choose(position: str, moves: list[str]) -> str:
    """Return one of the moves, in the game's notation. `position` has what the seat may know, also in notation."""
    return random.choice(moves)


def play(server: str, game: str, against: str) -> list[float]:
    """Play one game against programs, and return the returns of all seats."""
    with httpx.Client(base_url=server) as api:
        listed = next(each for each in api.get("/api/games").json() if each["name"] == game)
        players = listed["players"] or next(each["default"] for each in listed["parameters"] if each["name"] == "players")
        seats = [{"kind": "person", "name": "Bot"}] + [{"kind": "agent", "agent": against}] * (players - 1)
        answer = api.post("/api/rooms", json={"game": game, "seats": seats})
        if answer.is_error:
            sys.exit(f"{answer.status_code}: {answer.json()['code']}")
        made = answer.json()
    with connect(f"{server.replace('http', 'ws', 1)}/ws/{made['room']}", max_size=None) as socket:
        socket.send(json.dumps({"t": "hello", "token": made["token"]}))
        number, over = 0, None
        for text in socket:
            frame = json.loads(text)
            if frame["t"] == "error":
                sys.exit(f"refused: {frame['code']} {frame['message']}")
            if frame["t"] == "text" and frame["moves"]:  # our turn: play any move except giving up
                number += 1
                moves = [move for move in frame["moves"] if move != frame["give_up"]]
                move = choose(frame["position"], moves)
                socket.send(json.dumps({"t": "write", "id": number, "n": frame["n"], "text": move}))
            if frame["t"] in ("room", "event"):
                over = frame.get("over") or over
                if over:
                    return list(over["returns"])
                if frame["mover"] == made["seat"]:
                    number += 1
                    socket.send(json.dumps({"t": "read", "id": number}))
    sys.exit("the server has ended: come back with the same token, and the game goes on")


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        sys.exit("usage: python bot.py http://127.0.0.1:8000 GAME [LEVEL]")
    print("returns:", play(sys.argv[1], sys.argv[2], sys.argv[3] if len(sys.argv) > 3 else "greedy"))
