"""Model Context Protocol (MCP) server: agents read boards, models and comparisons through tools."""
