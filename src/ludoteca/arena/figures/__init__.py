"""The results of many games as figures: shares of points, ratings, statistical tests, tables and the page of results."""
