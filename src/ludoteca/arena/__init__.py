"""Games between programs: any executable as a bot, matches, tournaments, ratings and reports. It names no game.

**A bot** is an *entrant* of a match or a tournament: an agent of ours, or a *program*, which any command can start. A
*player* is an entrant in one seat. Most programs live through a game and speak the line protocol (`docs/bots.md`). A game
may also define a protocol in which a program is run for every move.

**A fault** is an error of a program, such as an illegal or a late answer. It usually ends the program's part in the game,
and the other players finish it. The *limits* bound time, memory and more. A program that exceeds a limit makes a fault. A
program runs in a *box*, the sandbox: a *spawner* inside it starts and ends the program's processes, and the *isolation*
describes how well it is separated from the machine.

**A deal** is the start of a game, named by a number. It is played several times, so that each entrant gets each seat. A
*format* plans the games (`core.formats`): a *fixture* is a planned game, and a *place* is a line of the final table. An
*opening* is a deal's random first moves, for games without chance. The *store* of a tournament keeps every finished game.

**The packages.** `programs` runs programs and talks to them. `matches` plays games: `referee` plays one, and `runner` plays
those of a plan, in many processes. `figures` turns the results into shares, ratings, tests, tables and pages.
"""
