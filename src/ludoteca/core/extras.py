"""Finds the command that installs an optional library, for error messages."""

import json
import shlex
import sys
from importlib.metadata import PackageNotFoundError, distribution
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import unquote, urlsplit


def install_command(extra: str) -> str:
    """Return the shell command that adds an extra, such as `ray`, to this installation of Ludoteca. The command depends on
    how it was installed: from a checkout or a wheel, by pipx, or by uv.
    """
    prefix, python, folder = Path(sys.prefix), shlex.quote(sys.executable), _checkout()
    wanted = shlex.quote(f"{folder or 'ludoteca'}[{extra}]")
    if (prefix / "pipx_metadata.json").exists():
        return f"pipx runpip ludoteca install {wanted}"
    if (prefix / "uv-receipt.toml").exists():
        return f"uv tool install --force {wanted}"
    pip = f"{python} -m pip install" if find_spec("pip") else f"uv pip install --python {python}"
    return f"{pip} {'-e ' if folder else ''}{wanted}"


def _checkout() -> Path | None:
    """Return the folder of the checkout if Ludoteca was installed from one in editable mode (PEP 610), else None."""
    try:
        origin = json.loads(distribution("ludoteca").read_text("direct_url.json") or "{}")
    except PackageNotFoundError:  # imported from a folder
        return None
    return Path(unquote(urlsplit(origin["url"]).path)) if origin.get("dir_info", {}).get("editable") else None
