"""Keeps rooms and their events in a database: SQLite in a file, or PostgreSQL. Other packages use the class
`store.Store`.
"""
