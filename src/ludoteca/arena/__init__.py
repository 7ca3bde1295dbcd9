"""Games between programs: any executable as a bot, matches, tournaments, ratings and reports. It names no game."""
