"""Games between agents and programs: players, referee, formats, tournaments and their store."""
