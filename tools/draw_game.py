"""`make pictures`: draw the moving picture of the README, in a light and a dark version.

The game is Metro for one player, with a fixed seed and an agent that plays alike on every machine. The files change only if
the rules, the agent or the drawing change.
"""

import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from ludoteca.agents.agent import new_agent
from ludoteca.core.game import load

FOLDER = Path(__file__).parents[1] / "docs" / "pictures"
SEED = 4


def main() -> None:
    """Play the game and draw it twice."""
    game = load("metro", compiled=True)
    state, agent = game.new_initial_state(SEED), new_agent("6", game, SEED)
    while not state.is_terminal():
        state.apply_action(agent.choose(state.information_state(0)).action)
    with TemporaryDirectory() as folder:
        record = Path(folder) / "game.json"
        record.write_text(state.serialize(), encoding="utf-8")
        for theme in ("light", "dark"):
            file = FOLDER / f"game-{theme}.gif"
            words = ["record", "gif", str(record), "--theme", theme, "--width", "420", "--delay", "0.5", "--out", str(file)]
            subprocess.run([sys.executable, "-m", "ludoteca", *words], check=True)


if __name__ == "__main__":
    main()
