"""Games for researchers: environments of other libraries, batches of games, and datasets.

**An environment** is one game with the interface of Gymnasium, PettingZoo or OpenSpiel, in the module of that name. A
*batch* is many games in one array, which are stepped together, in NumPy (`batch`) or with Gymnasium's vector interface
(`vector`). A *dataset* is games and their positions as tables in Parquet files (`dataset`).

**A learner** plays one seat, or all seats. It sees an *observation*: *planes*, which are arrays of the board's shape, and
*numbers* for the rest. It answers with an action number from 0 on, whose meaning does not depend on the position. The *mask*
marks the numbers that are legal now (`Game.features`). `rewards` turns the results of games into rewards.

`import ludoteca` does not import this package. Each module names the extra that it needs.
"""
