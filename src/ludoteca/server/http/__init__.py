"""HTTP: the pages, the API, the opening of WebSockets, and limits on what clients may ask for."""
