"""Search in any game: Monte Carlo tree search, alpha-beta with a learned value, and exact play near the end. Agents, hints
and analyses use it.

**A search** begins at an information state, which is a player's knowledge of a game, and returns *findings*: the value of
each action at the *root* (the present position), and the best action. Its *budget* is a number of simulations, or seconds.
`searcher` is its interface in Python. The other modules with loops are compiled, and bound to the rules of a game
(`core.native`).

**A simulation** of a Monte Carlo search goes down the *tree* of positions, adds a *node*, and ends in a *leaf* (`leaf`). The
leaf is valued by a *playout*, which is a quick game to the end by the *policy* of the game's heuristics, or by the game's
*learned value*. `mcts` is for games without hidden information. `ismcts` begins every simulation with another deal that fits
the player's knowledge. `tree` has the nodes of both. At the root, `prior` combines the results with the values of the
heuristics.

**Alpha-beta** looks at all positions up to a *depth*, a number of actions, and keeps their values in a *table*. `deepening`
does this for two players without hidden information, with greater and greater depth. It uses the learned value at the
*horizon*, where the depth ends. `alphabeta` continues to the end of the game, for positions near the end. `deepener` and
`exact` are the interfaces of these two in Python.
"""
