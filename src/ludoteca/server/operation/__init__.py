"""For whoever runs a server: what it counts, who is in it, whom it keeps out. Imported only where that is asked for."""
