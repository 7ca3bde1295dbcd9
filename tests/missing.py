"""Tests that need an extra or isolation are skipped without it, and name the command that installs it."""

from importlib.util import find_spec

import pytest

from ludoteca.arena.programs.isolation import check_isolation
from ludoteca.core.extras import install_command


def needs(library: str, extra: str) -> pytest.MarkDecorator:
    return pytest.mark.skipif(find_spec(library) is None, reason=f"{library} is missing: {install_command(extra)}")


needs_pictures = needs("resvg_py", "pictures")
needs_isolation = pytest.mark.skipif(bool(warning := check_isolation()), reason=warning)
