"""Learning from games, for `ludoteca train`: a *value* predicts the result of a position, and a *policy* predicts the move
of a strong player.

**The weights** are the numbers that a training changes. A prediction comes from the sum of the weights of the *features*
that the position has (`core.contract`). A `Loss` defines what the weights should predict: `values` learns the results of
*self-play*, in which all players have the same weights, and `policies` learns the actions of searches. The loops of both are
in compiled modules: `selfplay` and `imitation`.

**A training** is a sequence of *rounds*. In a round each processor core plays a *batch* of games from the same weights, and
the trainer combines the changes of all cores. The games take turns among the *variants*, which are parameters such as the
number of players. The training ends at its *goal*, a number of games or a time (`trainer`).

**A point** of the training's curves is a measurement: the error of the predictions, and the *strength* against the weights
of the last point and against a *reference*, which is a greedy player or a random one. The games of a measurement are
*duels*, in which every seat gets the same deal. At each point, and between points, the trainer writes a *checkpoint*, from
which an interrupted training continues (`checkpoint`).
"""
