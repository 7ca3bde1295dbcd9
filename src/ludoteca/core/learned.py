"""The names of the learned parts of a game. The command line describes trainings with them before it loads NumPy."""

from typing import Final

MODULE: Final = "value"
"""The module of a game's folder with the features of the learned value (`core.contract.Value`)."""
OPTIONS: Final = "options"
"""The module with the features of the learned policy (`core.contract.PolicyOptions`)."""
POLICY: Final = "policy"
"""The name of the weights of a policy."""
