"""Options that are ranges, times, combinations or orders, said in other words."""
