"""All that is the same for every game. A game's own folder holds its rules, its notation, its texts and its looks.

**The engine** runs rules. Begin with `contract`: it says in words what a game's `rules.py` holds, and how such rules are
written so that they run interpreted and compiled alike. Rules find random numbers in `rng`, bit sets in `bits`, lookups in
`tables`, and heuristics a way to play out in `policy`. `native` puts a game's rules under a generic module: `steps` (the
contract's functions one by one), `playouts` (whole random games), `hints` (heuristics), and those of `ludoteca.search`.
`compiling` is where Numba comes in, `fingerprint` what machine code depends on, `codecache` where it is kept, and `signals`
keeps Ctrl-C away while it is made.

**The face** is what programs and people use. `spec` is what a game says about itself, with the parameters that can be
chosen; `registry` finds the games. `game` has `Game` and `State`, in the words of OpenSpiel; `position` what they hold, and
what a seat may know of it; `record` the file in which a game is kept. `errors` is everything that is raised on purpose.

**The looks** are how a game is shown, told and typed. `messages` has texts in five languages, `words` those of errors;
`reading` checks positions that somebody typed. `scene` is what a seat sees as things with places; `svg`, with `scene.css`,
makes a picture of it, and `screen` says what a game may draw in a terminal. `console` is what the documents' text programs
are made of.
"""
