"""Public model directory: models with public rows and, for a signed-in user, their own."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from threading import Lock
from typing import NamedTuple

from db.model_records import ModelFacts, ModelIdentity, ModelRowRecord
from db.records import UserRecord
from db.repositories import models
from db.repositories.catalogue import fold_name
from db.session import Database, Transaction
from evaluation.benchmarks import all_benchmarks
from evaluation.signature import CODE_VERSION
from submissions.errors import BadRequestError, NotFoundError
from submissions.model_registry.names import MAX_QUERY_CHARACTERS, NameIndex
from submissions.ranking.row_sources import RANKED_SOURCES

MAX_SUGGESTED = 50
_Changes = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class ModelSummary:
    """A model as somebody may see it.

    Attributes:
        public_id: What it is asked for by.
        name: The name under which its rows are shown.
        aliases: Other names of rows of it that the viewer may see.
        facts: What maintainers say of it and, where they say nothing, the first row that does, reported ones first.
        n_rows: Number of its rows that anybody may see.
    """

    public_id: str
    name: str
    aliases: tuple[str, ...]
    facts: ModelFacts
    n_rows: int


@dataclass(frozen=True, slots=True)
class ModelWithRows:
    """A model with the rows of it that somebody may see."""

    summary: ModelSummary
    rows: tuple[ModelRowRecord, ...]


class _Public(NamedTuple):
    """Every model that has a public row, or under whose name one is shown; and the names that such rows have.

    `evaluated` are those with rows other than those of baselines and reference systems.
    """

    changes: _Changes
    known: dict[int, ModelIdentity]
    groups: dict[int, list[ModelIdentity]]
    n_rows: dict[int, int]
    names: NameIndex
    evaluated: frozenset[int]

    def count_rows(self, shown_as: int) -> int:
        """Return the number of public rows that are shown under a model."""
        return sum(self.n_rows.get(one.id, 0) for one in self.groups.get(shown_as, ()))


class ModelDirectory:
    """Finds models. A name that only private or hidden submissions of others have is nowhere in what it returns."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._kept: _Public | None = None
        self._lock = Lock()

    def make_etag(self, viewer: UserRecord | None) -> str:
        """Return another text whenever anything may have changed that this viewer may see of models."""
        with self._database.read() as transaction:
            changes = "-".join(str(number) for number in models.count_changes(transaction))
            if viewer is None:
                return f'"{CODE_VERSION}-{changes}"'
            number, last = models.describe_own(transaction, viewer.id)
        moment = 0 if last is None else int(last.timestamp() * 1_000_000)
        return f'"{CODE_VERSION}-{changes}-{viewer.id}-{number}-{moment}"'

    def suggest(self, query: str, viewer: UserRecord | None, limit: int) -> list[ModelSummary]:
        """Return the models that a few words may mean, the likeliest first; without words those with the most rows.

        Baselines and reference systems are found by their names only.

        Raises:
            BadRequestError: The words are too many, or cannot be printed.
        """
        words = check_query(query)
        with self._database.read() as transaction:
            public = self._read_public(transaction)
            own = self._read_own(transaction, viewer, public)
            fits: dict[int, float] = {}
            for index in (public.names, NameIndex(_names_of(own))) if words else ():
                for hit in index.find_matches(words):
                    fits[hit.entry] = max(fits.get(hit.entry, 0.0), hit.fit)
            if not words:
                fits = dict.fromkeys([*public.evaluated, *(one.shown_as for one in own)], 1.0)
            names = {model_id: one.name for model_id, one in self._identities(public, own).items()}
            order = sorted(
                fits, key=lambda one: (-fits[one], -public.count_rows(one), len(names[one]), names[one].casefold())
            )
            return self._summarise(transaction, order[:limit], public, own, viewer)

    def find_named(self, name: str, viewer: UserRecord | None) -> ModelSummary | None:
        """Return the model that a name means, under whatever name it is shown; None where the viewer knows none."""
        with self._database.read() as transaction:
            return self._summarise_visible(transaction, models.find_by_key(transaction, fold_name(name)), viewer)

    def find_summary(self, public_id: str, viewer: UserRecord | None) -> ModelSummary | None:
        """Return a model by its id, or by that of a model that is joined to it; None where the viewer knows none."""
        with self._database.read() as transaction:
            return self._summarise_visible(transaction, models.find_model(transaction, public_id), viewer)

    def get(self, public_id: str, viewer: UserRecord | None) -> ModelWithRows:
        """Return a model by its id, or by that of a model that is joined to it, with its rows.

        Raises:
            NotFoundError: There is none, or no row of it is the viewer's to see.
        """
        with self._database.read() as transaction:
            found = models.find_model(transaction, public_id)
            summary = self._summarise_visible(transaction, found, viewer)
            if found is None or summary is None:
                raise NotFoundError("Unknown model, or none of its results is public.")
            headlines = [(one.id, one.version, one.headline.slice, one.headline.metric) for one in all_benchmarks()]
            rows = models.list_rows(transaction, [found.shown_as], viewer.id if viewer else None, headlines)
            return ModelWithRows(summary, tuple(rows))

    def _summarise_visible(
        self, transaction: Transaction, found: ModelIdentity | None, viewer: UserRecord | None
    ) -> ModelSummary | None:
        if found is None:
            return None
        public = self._read_public(transaction)
        own = self._read_own(transaction, viewer, public)
        if found.id not in public.known and all(one.id != found.id for one in own):
            return None
        return self._summarise(transaction, [found.shown_as], public, own, viewer)[0]

    def _summarise(
        self,
        transaction: Transaction,
        shown_as: Sequence[int],
        public: _Public,
        own: Sequence[ModelIdentity],
        viewer: UserRecord | None,
    ) -> list[ModelSummary]:
        known = self._identities(public, own)
        rows = models.list_rows(transaction, shown_as, viewer.id if viewer else None)
        summaries = []
        for model_id in shown_as:
            one = known[model_id]
            named = [*public.groups.get(model_id, ()), *(other for other in own if other.shown_as == model_id)]
            aliases = {other.name for other in named if other.id != model_id}
            mine = [row for row in rows if row.shown_as == model_id]
            summaries.append(
                ModelSummary(
                    public_id=one.public_id,
                    name=one.name,
                    aliases=tuple(sorted(aliases, key=str.casefold)),
                    facts=merge_facts(one.maintainer_facts, mine),
                    n_rows=public.count_rows(model_id),
                )
            )
        return summaries

    def _identities(self, public: _Public, own: Iterable[ModelIdentity]) -> dict[int, ModelIdentity]:
        return {one.id: one for one in own} | public.known

    def _read_own(
        self, transaction: Transaction, viewer: UserRecord | None, public: _Public
    ) -> tuple[ModelIdentity, ...]:
        """Return the models that the viewer has submitted and that have no public row, and those they are shown as."""
        if viewer is None:
            return ()
        ids = models.list_models_of(transaction, viewer.id) - public.n_rows.keys()
        own = models.list_identities(transaction, ids)
        beyond = {one.shown_as for one in own} - ids - public.known.keys()
        return (*own, *models.list_identities(transaction, beyond))

    def _read_public(self, transaction: Transaction) -> _Public:
        """Return what is public, read anew only when a board has changed; one thread at a time reads it."""
        with self._lock:
            changes = models.count_changes(transaction)
            if self._kept is None or self._kept.changes != changes:
                self._kept = _build_public(transaction, changes)
            return self._kept


def _build_public(transaction: Transaction, changes: _Changes) -> _Public:
    n_rows = models.count_public_rows(transaction)
    every = {one.id: one for one in models.list_models(transaction)}
    groups: dict[int, list[ModelIdentity]] = {}
    for model_id in n_rows:
        groups.setdefault(every[model_id].shown_as, []).append(every[model_id])
    known = {model_id: every[model_id] for model_id in n_rows.keys() | groups.keys()}
    names = NameIndex(_names_of([every[model_id] for model_id in sorted(known)]))
    evaluated = frozenset(every[one].shown_as for one in models.list_evaluated(transaction, RANKED_SOURCES))
    return _Public(changes, known, groups, n_rows, names, evaluated)


def _names_of(found: Iterable[ModelIdentity]) -> list[tuple[int, str]]:
    """Return (model it is shown as, name) of each."""
    return [(one.shown_as, one.name) for one in found]


def merge_facts(maintainer_facts: ModelFacts, rows: Iterable[ModelRowRecord]) -> ModelFacts:
    """Return the facts of a model: each from its maintainers' description, otherwise from the first row that has it.

    Anybody can submit a file under any name. The facts of submitted rows count only for a model without other rows:
    otherwise a stranger could put a link on the page of somebody else's model.

    Args:
        maintainer_facts: Maintainers' description of the model.
        rows: Its rows, the most trusted first.
    """
    found = {name: getattr(maintainer_facts, name) for name in ModelFacts.__dataclass_fields__}
    every = list(rows)
    for row in [row for row in every if row.source != "submitted"] or every:
        of_row = {
            "organisation": row.submitted.organisation,
            "kind": row.submitted.kind,
            "size_billions": row.submitted.size_billions,
            "open_weights": row.submitted.open_weights,
            "links": row.submitted.all_links or None,
        }
        found = {name: of_row[name] if value is None else value for name, value in found.items()}
    return ModelFacts(**found)


def check_query(query: str) -> str:
    """Return the words of a search.

    Raises:
        BadRequestError: They are too many, or cannot be printed.
    """
    words = query.strip()
    if len(words) > MAX_QUERY_CHARACTERS or not words.isprintable():
        raise BadRequestError("q", f"q must have at most {MAX_QUERY_CHARACTERS} printable characters.")
    return words
