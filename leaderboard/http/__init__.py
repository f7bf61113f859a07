"""HTTP layers and helpers: guard, caching, compression, problem details, parameters, origin."""
