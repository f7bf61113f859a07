"""Shell around the tabs: the page's HTML, its first view, masthead, and manifest."""
