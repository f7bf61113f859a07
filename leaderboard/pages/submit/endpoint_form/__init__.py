"""Endpoint form of the Submit tab."""
