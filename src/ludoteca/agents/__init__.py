"""Agents that choose moves in any game, explanations of their choices, and the analysis of finished games. The server, the
command line and the judge use them.

**An agent** plays one seat. It receives an *information state*, which is the knowledge of that seat, and returns a
`Decision`: an action and its reasons. An agent that searches also returns the *findings* of the search: the value of each
action. Its *budget* for a turn is a number of simulations or seconds (`ludoteca.search`).

**The name** of an agent says how it plays: `random`, `greedy` (the best action by the game's heuristics), a *level* from 1
to 8, or a budget such as `500x`. At low levels an agent *glances*: it notices each action only with a certain chance, and
plays the best of the noticed actions. A *careless* agent glances in some turns, and searches in the others. `agent` makes
agents by name, and `levels` describes them to people.

**Advice** is a decision as a text for people: the action, its worth, a likely *line* of further moves, and other actions
(`explain`). The *worth* of an action is its expected result, as a share of a win or in points. `intervals` says how far it
may be wrong. `analysis` finds the *cost* of each move of a game: how much worse the move was than the best move.

**Compiling** a game's search takes up to a minute on a new machine. `warming` does it before a user needs it. `beside` does
it in another process, while agents already play with interpreted rules.
"""
