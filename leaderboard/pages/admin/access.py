"""Current user in the header, and access to the Admin tab, whose own handlers check it again."""

from typing import Any

import gradio as gr

from leaderboard.pages.admin.layout import Door
from leaderboard.pages.admin.markup import render_refused
from leaderboard.pages.shared.current_user import find_current_user
from leaderboard.pages.shell.masthead import render_masthead
from leaderboard.services import Services

Update = dict[Any, Any]


class Admission:
    """Shows the Admin tab to maintainers only."""

    def __init__(self, services: Services, door: Door) -> None:
        self._services = services
        self._door = door

    def admit(self, asked: str | None, request: gr.Request) -> Update:
        """Show or hide the tab; refuse visitors whose address requests it.

        Args:
            asked: `admin` if the address requests the tab.
            request: Request of the current user.
        """
        user = find_current_user(request, self._services)
        is_maintainer = user is not None and self._services.accounts.is_maintainer(user)
        is_asked = asked == "admin"
        shown = {
            self._door.masthead: render_masthead(user),
            self._door.notice: render_refused(user) if is_asked and not is_maintainer else "",
            self._door.tab: gr.Tab(visible=is_maintainer),
        }
        return shown | {self._door.tabs: gr.Tabs(selected="admin")} if is_asked and is_maintainer else shown
