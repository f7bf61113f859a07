"""Question families: each module recognises one family by its words and answers it from the audio."""
