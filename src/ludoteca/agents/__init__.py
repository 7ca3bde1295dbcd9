"""Agents that choose moves in any game, explanations of their choices, and the analysis of finished games.

**An agent** plays one seat. It receives an *information state*, which is what that seat knows, and returns a `Decision`: an
action and its reasons. An agent that searches also returns the *findings* of the search. Its *budget* for a turn is a number
of simulations or seconds (`ludoteca.search`).

**A name** says how an agent plays: `random`, `greedy` (the best action by the game's heuristics), a *level* from 1 to 8, or
a budget such as `500x`. Low levels *glance*: they notice each action by chance only, and play the best of those. A
*careless* agent glances in some turns, and searches in the others. `agent` makes agents by name, and `levels` describes them
to people.

**Advice** is a decision for people to read: the action, its worth, a likely *line* of further moves, and other actions
(`explain`). The *worth* of an action is its expected result, a share of a win or points. `intervals` says how far it may be
wrong. `analysis` finds the *cost* of each move of a game: how much worse it was than the best move.

**Compiling** a game's search takes up to a minute on a new machine. `warming` does it before a user needs it, and `beside`
in another process, while agents already play with interpreted rules.
"""
