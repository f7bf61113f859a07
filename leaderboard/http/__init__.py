"""HTTP that every request passes through: problems, parameters, origin, compression."""
