"""What is asked for over HTTP, the opening of WebSockets included: pages, the API, and who may connect at all."""
