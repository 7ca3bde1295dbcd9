"""Names of modules and files of learned weights. They are in a separate module so that the command line can describe
trainings without loading NumPy.
"""

from typing import Final

MODULE: Final = "value"
"""The module of a game's folder with the features of the learned value (`core.contract.Value`)."""
OPTIONS: Final = "options"
"""The module with the features of the learned policy (`core.contract.PolicyOptions`)."""
POLICY: Final = "policy"
"""The name of the file with the weights of a policy, without its extension."""
