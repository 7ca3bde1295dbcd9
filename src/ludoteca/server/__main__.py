"""`python -m ludoteca.server [--port 8000] [--data FILE]`: the bare server, for those who work on it."""

import argparse
import sys

import uvicorn

from ludoteca.server.app import configured, create_app
from ludoteca.server.logs import log_to
from ludoteca.server.store.database import usual
from ludoteca.server.store.store import Store


def main() -> None:
    """Serve on this machine until interrupted."""
    parser = argparse.ArgumentParser(prog="python -m ludoteca.server")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8000)
    parser.add_argument("--data", default=str(usual()), help="an SQLite file, or the URL of a database")
    chosen = parser.parse_args()
    log_to(sys.stderr)
    uvicorn.Server(configured(create_app(Store.open(chosen.data)), chosen.host, chosen.port)).run()


if __name__ == "__main__":
    main()
