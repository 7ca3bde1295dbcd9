"""The command line: one module a subcommand, imported when it is called.

Importing this loads nothing but the handling of signals, so that even Ctrl-C while click loads finds a handler in place.
"""

import os

try:
    from ludoteca.cli import signals
except KeyboardInterrupt:  # there is no handler yet
    os.write(2, b"ludoteca: interrupted\n")
    os._exit(130)


def main() -> None:
    """The program `ludoteca`: what a user can put right is one line on standard error and exit status 1."""
    signals.leave_at_signals()
    # else OpenBLAS starts a thread a processor: a tenth of a second of work at every start, for matrices of a few rows
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from ludoteca.cli.commands import run

    run()
