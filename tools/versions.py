"""The quick tests with newer Pythons, and the steps of the Containerfile: `make versions`.

Each part installs Debian's packages in a temporary folder, and runs its programs there (chroot). All their mounts and
processes end with the part, also by Ctrl-C. pip works as it does outside: it gets the same settings, and the files that they
name can be read in the folder. The output of each part is in build/versions.
"""

import argparse
import ast
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from string import Template
from typing import IO, Final

ROOT: Final = Path(__file__).resolve().parents[1]
LOGS: Final = ROOT / "build/versions"
TESTING: Final = "gcc,git,libc6-dev,make,mount,python3-venv"
PARTS: Final = {
    # a release of Debian, and packages of it
    "3.13": ("trixie", TESTING),
    "3.14": ("sid", TESTING),
    "container": ("bookworm", "passwd,python-is-python3,python3-venv"),
}
"""The container's packages replace its base image, since Debian 12 has the same Python, 3.11."""
PATH: Final = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
GIVEN: Final = {"USER": "root", "WORKDIR": "/"} | dict.fromkeys(["CMD", "EXPOSE", "HEALTHCHECK", "STOPSIGNAL", "VOLUME"], "")
"""The instructions that only the last of their kind decides, and their values at the start."""
ALONE: Final = ("unshare", "--mount", "--pid", "--fork", "--kill-child")
"""The words before a command that separate its mounts and processes from those of the machine."""
ENTER: Final = """
root=$1 user=$2 bound=$3; shift 3
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
for path in $bound; do
    mkdir -p "$root${path%/*}"
    [ -e "$root$path" ] || if [ -d "$path" ]; then mkdir "$root$path"; else : > "$root$path"; fi
    mount --bind "$path" "$root$path"
    mount -o remount,bind,ro "$root$path"
done
chroot --userspec="$user" "$root" "$@" && exit
"""
"""The shell script that runs a command in a folder. The shell stays, and adopts processes whose parents have ended."""
SERVE: Final = """
"$@" & server=$!
tries=120
until {health}; do tries=$((tries - 1)); [ $tries -gt 0 ] && kill -0 $server || exit 1; sleep 1; done
python -c '{check}'
kill -{signal} $server; wait $server
"""
CHECK: Final = """
import json, urllib.request, psycopg
def answer(path, body=None):
    return urllib.request.urlopen("http://127.0.0.1:8000" + path, body and json.dumps(body).encode(), timeout=60).read()
agent = {"kind": "agent", "agent": "greedy"}
room = json.loads(answer("/api/rooms", {"game": "okupacio", "seats": [agent, agent]}))["room"]
picture = answer(f"/api/rooms/{room}/picture.png")
assert picture.startswith(bytes.fromhex("89504e470d0a1a0a")), picture[:99]
print(f"healthy, a room, its PNG of {len(picture)} bytes, psycopg {psycopg.__version__}")
"""
"""A program for the container's Python: it asks the server for a room and a picture, and imports psycopg."""


@dataclass
class Image:
    """A folder with Debian's programs, and the settings of a Containerfile."""

    root: Path
    log: IO[str]
    given: dict[str, str]
    environment: dict[str, str]

    def run(self, script: str, *arguments: str, alone: tuple[str, ...] = ALONE) -> None:
        """Run a shell script in the folder. Raises CalledProcessError if it fails."""
        settings, bound = pip_settings()
        user, directory = self.given["USER"], self.given["WORKDIR"]
        environment = settings | {"HOME": "/root" if user == "root" else f"/home/{user}"} | self.environment
        assigned = [f"{name}={value}" for name, value in environment.items()]
        enter = "ip link set lo up" + ENTER if "--net" in alone else ENTER
        words = ["sh", "-euc", enter, "sh", str(self.root), f"{user}:{user}", " ".join(bound), "env", "-i", *assigned]
        inside = ["sh", "-euc", f"mkdir -p {directory}; cd {directory}; {script}", "sh", *arguments]
        print(f"\n{self.root.name}: {script.strip()}", file=self.log, flush=True)
        subprocess.run([*alone, *words, *inside], check=True, stdout=self.log, stderr=self.log)


def lines_of(*command: str) -> list[str]:
    """Return the lines that a command prints. Raises CalledProcessError if it fails."""
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()


def pip_settings() -> tuple[dict[str, str], list[str]]:
    """Return pip's configuration as environment variables, and the files and folders that it and the network need."""
    settings = {}
    for line in sorted(
        lines_of(sys.executable, "-m", "pip", "config", "list"), reverse=True
    ):  # variables come last, because they count most
        name, value = line.split("=", 1)
        settings["PIP_" + name.rpartition(".")[2].replace("-", "_").upper()] = str(ast.literal_eval(value))
    settings |= {name: value for name, value in os.environ.items() if name.lower().endswith("_proxy")}
    bound = ["/etc/resolv.conf", "/etc/ssl"]
    for word in " ".join(settings.values()).split():
        # the pages of an index link to files in its parent folder
        path = Path(word.removeprefix("file://")).parent if word.startswith("file://") else Path(word)
        if path.is_absolute() and path.exists() and not path.is_relative_to("/etc/ssl"):
            bound.append(str(path))
    return settings, bound


def make_folder(root: Path, release: str, packages: str, log: IO[str]) -> None:
    """Install a release of Debian in a new folder, from this machine's mirror. Raises CalledProcessError if it fails."""
    targets = lines_of("apt-get", "indextargets", "--no-release-info", "--format", "$(REPO_URI)")
    mirrors = [target for target in targets if target.endswith("/debian/")][:1]  # if none, mmdebstrap has its own
    options = [f"--aptopt={line}" for line in lines_of("apt-config", "dump") if re.match(r"Acquire::(Check|https?::)", line)]
    words = ["mmdebstrap", "--mode=root", "--variant=apt", *options, f"--include={packages}", release, str(root), *mirrors]
    subprocess.run([*ALONE, *words], check=True, stdout=log, stderr=log)


def build(lines: list[str], image: Image, context: Path) -> Image:
    """Return the image of a Containerfile whose stages start from the folder of `image`. Raises CalledProcessError if a
    step fails, and ValueError if the file has an instruction that is unknown here.
    """
    stages: dict[str, Path] = {}
    current = image
    for line in lines:
        word, _, rest = line.partition(" ")
        if word == "FROM":
            name = rest.partition(" AS ")[2] or "image"
            stages[name] = image.root.with_name(name)
            subprocess.run(["cp", "-a", image.root, stages[name]], check=True)
            current = Image(stages[name], image.log, dict(image.given), dict(image.environment))
        elif word == "COPY":
            *names, last = rest.split()
            source = stages[names.pop(0).removeprefix("--from=")] if rest.startswith("--from=") else context
            target = current.root / str(Path(current.given["WORKDIR"], last)).lstrip("/")
            target.mkdir(parents=True, exist_ok=True)
            paths = [source / name.lstrip("/") for name in names]
            subprocess.run(["cp", "-a", *(f"{path}/." if path.is_dir() else path for path in paths), target], check=True)
        elif word == "RUN":
            current.run(rest)
        elif word == "ENV":
            for name, value in (pair.split("=", 1) for pair in shlex.split(rest)):
                current.environment[name] = Template(value).substitute(current.environment)
        elif word in current.given:
            current.given[word] = rest
        else:
            raise ValueError(f"Containerfile: read {word}, which tools/versions.py does not know")
    return current


def instructions(text: str) -> list[str]:
    """Return the instructions of a Containerfile, one a line."""
    lines = re.sub(r"^#.*\n", "", text, flags=re.MULTILINE).replace("\\\n", "")
    return [" ".join(line.split()) for line in lines.splitlines() if line.strip()]


def run(part: str, base: Image) -> None:
    """Run a part in the folder of `base`. Raises CalledProcessError if a step fails."""
    make_folder(base.root, *PARTS[part], base.log)
    checkout = base.root.with_name("checkout") if part == "container" else base.root / "ludoteca"
    subprocess.run(["git", "clone", "--quiet", ROOT, checkout], check=True)
    if part == "container":
        image = build(instructions((checkout / "Containerfile").read_text()), base, checkout)
        health, stop = image.given["HEALTHCHECK"].removeprefix("CMD "), image.given["STOPSIGNAL"].removeprefix("SIG")
        script = SERVE.format(health=health, check=CHECK, signal=stop)
        image.run(script, *json.loads(image.given["CMD"]), alone=(*ALONE, "--net"))
    else:
        base.run(f"python3 --version | grep -F ' {part}.'; make -C ludoteca quick")


def main() -> int:
    """Run the parts, print a line for each, and return the exit status."""
    parser = argparse.ArgumentParser(prog="versions", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"some of {', '.join(PARTS)}; default: all")
    parts = parser.parse_args().parts or list(PARTS)
    if unknown := set(parts) - set(PARTS):
        parser.error(f"read {', '.join(unknown)}, expected {', '.join(PARTS)}")
    missing = [program for program in ("mmdebstrap", "unshare", "ip", "git") if not shutil.which(program)]
    if missing or os.geteuid() != 0:
        print(f"versions: install {', '.join(missing)}" if missing else "versions: only root can do this", file=sys.stderr)
        return 2
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    LOGS.mkdir(parents=True, exist_ok=True)
    status = 0
    for part in parts:
        began = time.monotonic()
        log = LOGS / f"{part}.log"
        with tempfile.TemporaryDirectory(prefix="ludoteca-") as folder, log.open("w") as file:
            base = Image(Path(folder, "base"), file, dict(GIVEN), {"PATH": PATH, "LC_ALL": "C.UTF-8"})
            try:
                run(part, base)
                verdict = "passed"
            except (subprocess.CalledProcessError, ValueError) as error:
                verdict, status = "FAILED", 1
                print(error, file=file)
        text = log.read_text()
        found = re.findall(r"^(?:.*\b\d+ (?:passed|failed|error).*|healthy.*)$", text, re.MULTILINE)
        version = re.findall(r"^Python \d.*", text, re.MULTILINE)
        words = [f"{part} on {PARTS[part][0]} {verdict}", *version[:1], *found[-1:], f"{time.monotonic() - began:.0f} s"]
        print(f"versions: {', '.join(words)}; {log.relative_to(ROOT)}", flush=True)
    return status


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
