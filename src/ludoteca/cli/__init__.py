"""The command line. Each subcommand has a module, which is imported when it is called.

**A command** is click's. If its options are the fields of a dataclass, it gets them as one object, its *settings*
(`settings`). A game's *parameters* are options, too (`parameters`). `options` reads numbers, times and sizes with units.
`commands` is the list of all subcommands, and `streams` guards the standard streams.

**In the terminal** a game has *persons*, who type moves, and *opponents*: agents, or programs of bot authors (`opponents`).
`terminal` asks in turn, and `screen` draws the game. A drawing is an *arrangement* of boards and tables; the screen takes
the first one that fits the terminal.

This package imports only the handling of signals. So a handler for Ctrl-C exists while click is imported.
"""

import os

try:
    from ludoteca.cli import signals
except KeyboardInterrupt:  # there is no handler yet
    os.write(2, b"ludoteca: interrupted\n")
    os._exit(130)


def main() -> None:
    """Run the program `ludoteca` with the arguments of the command line.

    The exit status is 2 after a wrong value on the command line, 1 after another failure, and 130 after Ctrl-C. An error
    that a user can correct is printed as one line on stderr.
    """
    signals.leave_at_signals()
    # else OpenBLAS starts a thread a processor: a tenth of a second of work at every start, for matrices of a few rows
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from ludoteca.cli.commands import run

    run()
