"""Games in a page, without a server: compiled libraries, and what Python needs in a browser."""
