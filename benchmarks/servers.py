"""Start programs of Ludoteca in separate folders, and read their processor time."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final
from urllib.request import Request, urlopen

REQUEST_SECONDS: Final = 30.0


@contextmanager
def started(*words: str, before: Sequence[str] = (), cold: bool = False) -> Iterator[subprocess.Popen[str]]:
    """Run `ludoteca` with these words in a folder without games, and terminate it at the end.

    `before` is a command that runs the program, such as `taskset`. With `cold` the cache of compiled functions is empty.
    """
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | {"LUDOTECA_DATA": f"{folder}/games", "PYTHONUNBUFFERED": "1"}
        if cold:
            environment["LUDOTECA_CACHE"] = folder
        command = [*before, sys.executable, "-m", "ludoteca", *words]
        pipe = subprocess.PIPE
        with subprocess.Popen(
            command, env=environment, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, text=True
        ) as process:
            try:
                yield process
            finally:
                process.terminate()


@contextmanager
def serving(*options: str, before: Sequence[str] = (), cold: bool = False) -> Iterator[tuple[str, int]]:
    """Run a server on a free port. Yield its address, such as `http://127.0.0.1:8000/`, and its process number."""
    with started("serve", "--port", "0", "--no-open", *options, before=before, cold=cold) as process:
        assert process.stdout
        line = process.stdout.readline()
        if not line:
            sys.exit("benchmarks: the server did not start. Run `ludoteca serve` to see why.")
        yield line.split()[-1], process.pid


def post(address: str, path: str, body: object) -> Any:
    """Send a request to the server's interface, and return its answer."""
    with urlopen(Request(f"{address}api/{path}", json.dumps(body).encode()), timeout=REQUEST_SECONDS) as answer:
        return json.load(answer)


def processor_seconds(process: int) -> float:
    """Return the processor time of a process without its children, as Linux reports it."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
