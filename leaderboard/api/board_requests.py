"""Board parameters of routes: FastAPI dependencies with the query parameters that `boards.board_parameters` lists."""

from collections.abc import Awaitable, Callable, Iterable
from inspect import Parameter, Signature
from typing import Any, cast

from fastapi import Query, Request

from leaderboard.boards.board_parameters import BoardParameter, BoardRequest
from leaderboard.http.parameters import refuse_unknown_words


def read_parameters(parameters: Iterable[BoardParameter], *other_names: str) -> Callable[..., Awaitable[BoardRequest]]:
    """Return a dependency that reads parameters of a board and documents them.

    It rejects unknown query parameters, so that a typo cannot silently return the default board.

    Args:
        parameters: In the order of the documentation.
        other_names: Query parameters of the route itself.
    """
    taken = tuple(parameters)
    known = (*(parameter.name for parameter in taken), *other_names)

    # A plain function would occupy a thread of the pool, and this never blocks.
    async def read_board_request(request: Request, **values: Any) -> BoardRequest:
        refuse_unknown_words(request.query_params, known)
        return BoardRequest(**values)

    own = Parameter("request", Parameter.POSITIONAL_OR_KEYWORD, annotation=Request)
    cast("Any", read_board_request).__signature__ = Signature([own, *map(_declare, taken)])
    return read_board_request


def _declare(parameter: BoardParameter) -> Parameter:
    """Return a parameter in the form that FastAPI reads from signatures."""
    query = Query(parameter.default, description=parameter.description, max_length=parameter.max_length)
    return Parameter(parameter.name, Parameter.KEYWORD_ONLY, default=query, annotation=parameter.type_)
