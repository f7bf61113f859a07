"""Competition mode: on fixed questions, an owner's new submission gets public scores only if it gains significantly."""
