"""Rooms where people and agents play, over HTTP and WebSockets; `static/` is the browser's side."""
