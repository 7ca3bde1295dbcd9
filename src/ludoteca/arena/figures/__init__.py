"""Results of games in figures: shares, ratings, tests, tables and the page of results."""
