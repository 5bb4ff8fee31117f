"""SQLite as Django's database, with writers in a queue."""
