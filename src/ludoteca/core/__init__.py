"""The modules of Ludoteca that are the same for every game. A game's own folder has its rules, notation, texts and pictures.

**The engine** runs rules. Begin with `contract`: it describes the functions in a game's `rules.py`, and how to write rules
that run both interpreted and compiled. Rules use the random numbers of `rng`, the bit sets of `bits` and the lookup tables
of `tables`. Heuristics use `choices`. `native` binds a game's rules to a generic module, which is code that is written once
for all games: `steps` (the contract's functions one by one), `playouts` (whole random games), `hints` (heuristics), and the
modules of `ludoteca.search`. `compiling` compiles a binding with Numba. `fingerprint` identifies machine code, `codecache`
stores it in files, and `signals` delays Ctrl-C while it is compiled.

**The API** is for programs and users. `spec` describes a game and its parameters, and `registry` finds the games. `game` has
the classes `Game` and `State`, with the method names of OpenSpiel. `position` has positions, and the knowledge that each
seat has of them. `record` reads and writes the file of a recorded game. `errors` has the exceptions.

**The view** of a game is its pictures, texts and inputs. `messages` has texts in five languages, and `words` has words for
error messages. `reading` checks positions that a user typed. `scene` describes a player's view of the game as items with
coordinates. `svg` draws such a scene as a picture, with the styles of `scene.css`. `console` runs the text programs that the
published document of a game's rules defines.
"""
