"""Merges of models by maintainers: merge, split, and describe."""

import logging
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from typing import Any

from db.model_records import ModelFacts, ModelIdentity
from db.records import NewModel, UserRecord
from db.repositories import audit, models
from db.session import Database, Transaction
from submissions.accounts.credentials import Accounts
from submissions.errors import BadRequestError, NotFoundError, StateError
from submissions.model_registry.descriptions import check_model
from submissions.model_registry.directory import check_query
from submissions.model_registry.names import find_stem, fold
from submissions.operations.maintenance import check_reason

_LOG = logging.getLogger(__name__)
_MAX_LIKELY_DUPLICATES = 10


@dataclass(frozen=True, slots=True)
class ModelEntry:
    """A model as a maintainer sees it.

    Attributes:
        model: Who it is, and what maintainers say of it.
        shown_as: The model under whose name it is shown; None where that is its own.
        joined_to: The model that it was joined to, which may be shown as another one itself.
        aliases: The models that are shown under its name.
        n_submissions: Number of its own submissions, whoever may see them.
        n_public: Number of those that anybody may see.
        likely_duplicates: Other models whose names have the same stem (see `find_stem`) and that are shown apart.
    """

    model: ModelIdentity
    shown_as: ModelIdentity | None
    joined_to: ModelIdentity | None
    aliases: tuple[ModelIdentity, ...]
    n_submissions: int
    n_public: int
    likely_duplicates: tuple[ModelIdentity, ...]


@dataclass(frozen=True, slots=True)
class ModelList:
    """A page of models, and the id after which the next one begins."""

    entries: tuple[ModelEntry, ...]
    next_after: str | None


class ModelMaintenance:
    """The acts of maintainers on models. Everybody else is refused, whatever he names."""

    def __init__(self, database: Database, accounts: Accounts) -> None:
        self._database = database
        self._accounts = accounts

    def list(self, actor: UserRecord, query: str = "", limit: int = 50, after: str | None = None) -> ModelList:
        """Return models in the order of their names, those of private submissions too.

        Args:
            actor: Who asks.
            query: Part of a name; all where it is empty.
            limit: Number of models.
            after: Id of the last model of the page before.

        Raises:
            NotAllowedError, BadRequestError: The actor is no maintainer, or the query or the id cannot be.
        """
        self._accounts.require_maintainer(actor)
        words = fold(check_query(query))
        with self._database.read() as transaction:
            every = models.list_models(transaction)
            last = _find_last(every, after)
            found = [one for one in every if words in fold(one.name) and (last is None or one.name_key > last.name_key)]
            entries = _describe_entries(transaction, found[:limit], every)
        return ModelList(entries, found[limit - 1].public_id if len(found) > limit else None)

    def get(self, public_id: str, actor: UserRecord) -> ModelEntry:
        """Return one model.

        Raises:
            NotAllowedError, NotFoundError: There is none for the actor.
        """
        self._accounts.require_maintainer(actor)
        with self._database.read() as transaction:
            one = _get(transaction, public_id)
            (entry,) = _describe_entries(transaction, [one], models.list_models(transaction))
        return entry

    def join(self, public_id: str, target_id: str, actor: UserRecord, reason: str) -> None:
        """Show a model, with all that is joined to it, under the name of another one. Submissions keep their names.

        Where the other one is joined to a third, it is that one that this is joined to: there are no chains.

        Raises:
            NotAllowedError, NotFoundError, BadRequestError, StateError: It cannot be done.
        """

        def apply_change(transaction: Transaction, one: ModelIdentity) -> tuple[Sequence[int], Mapping[str, object]]:
            named = models.find_model(transaction, target_id)
            if named is None:
                raise BadRequestError("join_to", f"Unknown target model `{_shorten(target_id)}`.")
            target = models.get_shown(transaction, named.id)
            _check_join(transaction, one, target)
            moved = models.join_model(transaction, one.id, target.id)
            return moved, {"model": one.name, "to": target.public_id, "to_model": target.name, "n_models": len(moved)}

        self._change(public_id, actor, "join-model", reason, apply_change)

    def split(self, public_id: str, actor: UserRecord, reason: str) -> None:
        """Undo the joining of a model: it stands alone again, with what was joined to it.

        Raises:
            NotAllowedError, NotFoundError, BadRequestError, StateError: It cannot be done.
        """

        def apply_change(transaction: Transaction, one: ModelIdentity) -> tuple[Sequence[int], Mapping[str, object]]:
            if one.joined_to is None:
                raise StateError(f"{one.name} is not merged into another model, so there is nothing to split.")
            before = models.get_shown(transaction, one.id)
            moved = models.split_model(transaction, one.id)
            return moved, {"model": one.name, "from": before.public_id, "from_model": before.name}

        self._change(public_id, actor, "split-model", reason, apply_change)

    def describe(self, public_id: str, facts: Mapping[str, Any], actor: UserRecord, reason: str) -> None:
        """Describe a model; its submissions' facts no longer apply to the described fields.

        Args:
            public_id: Which model.
            facts: Field of `ModelFacts` → its value; None removes it from the description. Other fields stay.
            actor: Who describes it.
            reason: Why.

        Raises:
            NotAllowedError, NotFoundError, BadRequestError, StateError: It cannot be done.
        """

        def apply_change(transaction: Transaction, one: ModelIdentity) -> tuple[Sequence[int], Mapping[str, object]]:
            if one.shown_as != one.id:
                shown = models.get_shown(transaction, one.id)
                raise StateError(f"{one.name} is merged into {shown.name}. Describe {shown.public_id} instead.")
            described = _check_facts(replace(one.maintainer_facts, **facts), one.name)
            if described == one.maintainer_facts:
                raise StateError(f"This is already the description of {one.name}.")
            models.describe_model(transaction, one.id, described)
            group = [other.id for other in models.list_group(transaction, one.id)]
            return group, {"model": one.name, "before": asdict(one.maintainer_facts), "now": asdict(described)}

        self._change(public_id, actor, "describe-model", reason, apply_change)

    def _change(
        self,
        public_id: str,
        actor: UserRecord,
        action: str,
        reason: str,
        apply_change: Callable[[Transaction, ModelIdentity], tuple[Sequence[int], Mapping[str, object]]],
    ) -> None:
        """Do something to a model and write it down. Every act passes here, in the transaction in which it happens.

        `apply_change` returns the models whose names or facts changed, and what is to be known of it.
        """
        self._accounts.require_maintainer(actor)
        text = check_reason(reason)
        now = datetime.now(UTC)
        with self._database.write() as transaction:
            models.lock_all(transaction)
            changed, details = apply_change(transaction, _get(transaction, public_id))
            models.relabel_boards(transaction, changed, now)
            audit.append(transaction, actor.name, action, public_id, {**details, "reason": text}, now)
        _LOG.info("%s of %s, by %s: %s", action, public_id, actor.name, text)


def _get(transaction: Transaction, public_id: str) -> ModelIdentity:
    found = models.find_model(transaction, public_id)
    if found is None:
        raise NotFoundError(f"Unknown model `{_shorten(public_id)}`.")
    return found


def _check_join(transaction: Transaction, one: ModelIdentity, target: ModelIdentity) -> None:
    if one.id == target.id:
        raise StateError(f"Both names already belong to {one.name}, so there is nothing to merge.")
    if one.joined_to is not None:
        shown = models.get_shown(transaction, one.id)
        raise StateError(f"{one.name} is already merged into {shown.name}. Split it first.")
    if not models.has_public_row(transaction, target.id):
        raise StateError(
            f"{target.name} has no public row, so a merge would show an unpublished name. Merge in the other "
            "direction, or wait until it has a public result."
        )


def _check_facts(facts: ModelFacts, name: str) -> ModelFacts:
    """Return facts that may be shown; they are held to what submissions are held to.

    Raises:
        BadRequestError: One may not.
    """
    links = facts.links or ()
    first = links[0] if links else None
    check_model(
        NewModel(name, facts.organisation, facts.kind, facts.size_billions, facts.open_weights, first, links[1:]),
    )
    return facts


def _find_last(every: Iterable[ModelIdentity], after: str | None) -> ModelIdentity | None:
    if after is None:
        return None
    last = next((one for one in every if one.public_id == after), None)
    if last is None:
        raise BadRequestError("cursor", "Invalid cursor for this list. Send next_cursor of the previous page.")
    return last


def _describe_entries(
    transaction: Transaction, page: Sequence[ModelIdentity], every: Sequence[ModelIdentity]
) -> tuple[ModelEntry, ...]:
    known = {one.id: one for one in every}
    of_stem: dict[str, list[ModelIdentity]] = defaultdict(list)
    aliases: dict[int, list[ModelIdentity]] = defaultdict(list)
    for one in every:
        of_stem[find_stem(one.name)].append(one)
        if one.shown_as != one.id:
            aliases[one.shown_as].append(one)
    n_submissions = models.count_submissions(transaction, [one.id for one in page])
    n_public = models.count_public_rows(transaction)
    return tuple(
        ModelEntry(
            model=one,
            shown_as=None if one.shown_as == one.id else known[one.shown_as],
            joined_to=None if one.joined_to is None else known[one.joined_to],
            aliases=tuple(aliases[one.id]),
            n_submissions=n_submissions.get(one.id, 0),
            n_public=n_public.get(one.id, 0),
            likely_duplicates=_find_duplicates(one, of_stem[find_stem(one.name)]),
        )
        for one in page
    )


def _find_duplicates(one: ModelIdentity, of_stem: Iterable[ModelIdentity]) -> tuple[ModelIdentity, ...]:
    """Return models that look like another name of one, each group once: by the name under which it is shown."""
    others = [other for other in of_stem if other.shown_as != one.shown_as and other.shown_as == other.id]
    return tuple(others[:_MAX_LIKELY_DUPLICATES])


def _shorten(text: str) -> str:
    return text[:40] if text[:40].isprintable() else "?"
