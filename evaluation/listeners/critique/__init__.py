"""What a critic of reasoning does: it hears what happens, reads what is claimed, and compares."""
