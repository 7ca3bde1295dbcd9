"""nginx in front of servers, with the configurations of the documents."""

import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.processes import PATIENCE

NGINX = shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
needs_nginx = pytest.mark.skipif(NGINX is None, reason="nginx is missing: as root, apt-get install nginx-light")


@contextmanager
def nginx(folder: Path, http: str, port: int) -> Iterator[None]:
    """Run nginx with this text as its `http` block, which listens at this port of the machine, until the block ends."""
    file, log = folder / "nginx.conf", folder / "nginx.log"
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    paths = "".join(f"{kind}_temp_path {folder}/{kind};\n" for kind in kinds)
    user = "user root;\n" if os.getuid() == 0 else ""  # whose folder it is
    events = "worker_processes 2;\nevents {}\n"
    file.write_text(f"{user}pid {folder}/nginx.pid;\n{events}http {{\naccess_log off;\n{paths}{http}}}\n")
    assert NGINX
    command = [NGINX, "-e", str(log), "-p", str(folder), "-c", str(file), "-g", "daemon off;"]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as process:
        try:
            deadline = time.monotonic() + PATIENCE
            while not _answers(port):
                assert process.poll() is None, log.read_text()
                assert time.monotonic() < deadline, f"nginx does not listen at {port}"
                time.sleep(0.01)
            yield
        finally:
            process.terminate()


def _answers(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port)).close()
    except ConnectionRefusedError:
        return False
    return True
