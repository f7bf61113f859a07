"""Life cycle of a submission, from arrival to board row."""
