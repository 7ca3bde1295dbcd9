"""Where rooms and their events are kept: SQLite in a file, or PostgreSQL by URL. `store.Store` is the face."""
