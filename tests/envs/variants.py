"""All games that learners can see, with the parameters of their variants: what environments are tried with."""

from typing import Any

import pytest

from ludoteca.core import registry

SPECS = [spec for spec in registry.games() if spec.has("features")]

VARIANTS = [
    pytest.param(spec.name, dict(parameters), id=f"{spec.name}-{variant}")
    for spec in SPECS
    for variant, parameters in spec.variants.items()
]

GAMES = [spec.name for spec in SPECS]

Parameters = dict[str, Any]
