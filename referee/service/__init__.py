"""The referee's page."""
