"""HTTP, with the opening of WebSockets: pages, the API, and the limits of what clients may ask for."""
