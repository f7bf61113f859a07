"""Work of evaluator processes beside scoring: start, turns, question packs, time estimates."""
