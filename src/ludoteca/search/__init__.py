"""Search in any game: Monte Carlo tree search, alpha-beta with a learned value, and exact endings.

**A search** begins at an information state, which is what a player knows, and returns *findings*: the value of each action
at the *root*, and the best action. Its *budget* is a number of simulations, or seconds. `searcher` is its interface in
Python. The other modules with loops are compiled, and bound to the rules of a game.

**A simulation** goes down the *tree*, adds a *node*, and ends in a *leaf* (`leaf`). The leaf is valued by a *playout*, a
quick game to the end by the *policy* of the game's heuristics, or by its *learned value*. `mcts` is for games without hidden
information. `ismcts` begins every simulation with another deal that fits the player's knowledge. `tree` has the nodes of
both, and `prior` gives the heuristics a say at the root.

**Alpha-beta** looks at positions to a *depth*, a number of actions, and keeps their values in a *table*. `deepening` does
this for two players without hidden information, deeper and deeper, with the learned value at the *horizon*. `alphabeta`
solves endings to the last action. `deepener` and `exact` are their interfaces in Python.
"""
