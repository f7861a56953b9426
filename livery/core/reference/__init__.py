"""The descriptions of the HTTP API: OpenAPI documents for programs, and a page for people."""
