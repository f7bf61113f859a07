"""Jobs of evaluators: queue, leases, round robin, registration, question packs, time estimates."""
