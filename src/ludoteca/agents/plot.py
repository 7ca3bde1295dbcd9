"""The graph of `agents.graph` as PNG, for who has installed the extra `plots`."""

from pathlib import Path

from ludoteca.agents.graph import COLOURS, Graph

STYLES = ("-", "--", ":", "-.", (0, (8, 2)), (0, (4, 1, 1, 1, 1, 1)), (0, (1, 3)), (0, (10, 3)), (0, (3, 5)), (0, (6, 1)))
"""One a player."""


def write_png(graph: Graph, file: Path) -> None:
    """Draw the graph to a file."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8.4, 4.2), dpi=120, layout="constrained")
    axes = figure.subplots()
    numbers = [move.number for move in graph.moves]
    for player, name in enumerate(graph.names):
        values = [move.values[player] for move in graph.moves]
        axes.plot(numbers, values, label=name, color=COLOURS[player % len(COLOURS)], linestyle=STYLES[player % len(STYLES)])
    for move in graph.marked:
        place = move.number, move.values[move.player]
        axes.plot(*place, "o", color="#222222", fillstyle="none", markersize=9)
        axes.annotate(f"{move.number} {move.action}", place, xytext=(0, 9), textcoords="offset points", ha="center")
    axes.set(title=graph.title, xlabel="moves", ylim=(-0.03 * graph.top, 1.08 * graph.top))
    axes.yaxis.set_major_formatter(lambda value, _: f"{100 * value:.0f} %" if graph.top == 1 else f"{value:.0f}")
    axes.legend(loc="center left", bbox_to_anchor=(1, 0.5))
    figure.savefig(file)
