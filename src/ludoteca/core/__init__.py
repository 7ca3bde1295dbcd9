"""The parts of Ludoteca that are the same for every game. A game's own folder holds its rules, notation, texts and looks.

**The engine** runs rules. Begin with `contract`. It describes the contents of a game's `rules.py`, and how to write rules
that run both interpreted and compiled. Rules use the random numbers of `rng`, the bit sets of `bits` and the lookups of
`tables`. Heuristics find a playout policy in `policy`. `native` binds a game's rules to a generic module: `steps` (the
contract's functions one by one), `playouts` (whole random games), `hints` (heuristics), and the modules of
`ludoteca.search`. `compiling` calls Numba. `fingerprint` identifies machine code, `codecache` stores it, and `signals`
delays Ctrl-C while it is compiled.

**The API** is for programs and users. `spec` describes a game and its parameters, and `registry` finds the games. `game` has
the classes `Game` and `State`, with the names of OpenSpiel. `position` has positions and the knowledge of each seat.
`record` reads and writes the file of a game. `errors` has the exceptions.

**The looks** are the pictures, texts and inputs of a game. `messages` has texts in five languages, and `words` has words for
error messages. `reading` checks positions that a user typed. `scene` describes a player's view as items with places. `svg`
draws it as a picture with `scene.css`. `screen` is the contract for drawing in a terminal. `console` runs the text programs
of the documents.
"""
