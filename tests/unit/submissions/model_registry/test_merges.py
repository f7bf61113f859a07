"""Merging, splitting and describing models by maintainers, and their public view."""

import itertools
import json
import random
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

import pytest

from db.model_records import ModelFacts
from db.records import BoardRow, NewModel, NewResult, NewSubmission, ScoreRecord, UserRecord
from db.repositories import audit, boards, evaluations, models, submissions, users
from db.repositories.boards import BoardKey, PageQuery
from db.session import Database
from evaluation.benchmarks import get_benchmark
from submissions.accounts.credentials import Accounts
from submissions.errors import BadRequestError, NotAllowedError, NotFoundError, StateError
from submissions.model_registry.directory import ModelDirectory
from submissions.model_registry.merges import ModelEntry, ModelMaintenance
from submissions.ranking.standings import refresh_board

BENCHMARK = get_benchmark("audio-motion-bench")
BOARD = BoardKey(BENCHMARK.id, BENCHMARK.version, "default")
OTHER_BOARD = replace(BOARD, setting="other")
NOW = datetime(2026, 1, 2, tzinfo=UTC)


@dataclass
class World:
    database: Database
    numbers: Iterator[int] = field(default_factory=lambda: itertools.count(1))

    def __post_init__(self) -> None:
        accounts = Accounts(self.database, ("mia",))
        self.maintenance = ModelMaintenance(self.database, accounts)
        self.directory = ModelDirectory(self.database)
        self.mia, self.ann, self.bob = (self.user(name) for name in ("mia", "ann", "bob"))

    def user(self, name: str) -> UserRecord:
        with self.database.write() as transaction:
            return users.get_or_add_user(transaction, name, NOW)

    def add(
        self,
        model: NewModel | str,
        *,
        owner: UserRecord | None = None,
        visibility: str = "public",
        source: str = "submitted",
        key: BoardKey = BOARD,
    ) -> str:
        """Add a scored row and return its id."""
        number = next(self.numbers)
        new_model = NewModel(model) if isinstance(model, str) else model
        board = (key.benchmark, key.version, key.setting)
        owner_id = (owner or self.ann).id
        new = NewSubmission(
            f"s-{number}", *board, source, owner_id, new_model, visibility, False, f"{number:064}", 1, None
        )
        headline = BENCHMARK.headline
        score = ScoreRecord(headline.slice, headline.metric, number / 100, 100)
        with self.database.write() as transaction:
            submissions.add_submission(transaction, new, "scored", NOW)
            result = NewResult(f"sig-{number}", "r", (), 1, 1, 0, 0, {}, (score,))
            evaluations.add_finished_evaluation(transaction, new.id, result, NOW)
            if visibility == "public":
                boards.touch_board(transaction, key, NOW)
        refresh_board(self.database, BENCHMARK, key.setting, ("r",), NOW)
        return new.id

    def id_of(self, name: str) -> str:
        with self.database.read() as transaction:
            return next(model.public_id for model in models.list_models(transaction) if model.name == name)

    def merge(self, name: str, target: str) -> None:
        self.maintenance.join(self.id_of(name), self.id_of(target), self.mia, "One model.")

    def split(self, name: str) -> None:
        self.maintenance.split(self.id_of(name), self.mia, "Two models.")

    def rows(self, search: str = "", key: BoardKey = BOARD) -> list[BoardRow]:
        column = BENCHMARK.headline.key
        query = PageQuery(column, descending=True, search=search, limit=100)
        with self.database.read() as transaction:
            return list(boards.read_page(transaction, key, query, [column]).rows)

    def list_names(self) -> dict[str, str]:
        """Return submission → name on the board."""
        return {row.submission.id: row.model.name for row in self.rows()}

    def counts(self, key: BoardKey = BOARD) -> tuple[int, int, int]:
        with self.database.read() as transaction:
            board = boards.find_board(transaction, key)
        assert board is not None
        return board.revision, board.changes, board.relabelled

    def suggest(self, query: str = "", viewer: UserRecord | None = None) -> dict[str, tuple[str, ...]]:
        """Return name → aliases."""
        return {summary.name: summary.aliases for summary in self.directory.suggest(query, viewer, 50)}

    def list_acts(self) -> list[tuple[str, str, dict[str, object]]]:
        with self.database.read() as transaction:
            assert audit.verify(transaction).broken_at is None
            return [
                (entry.actor, entry.action, dict(entry.details)) for entry in audit.list_entries(transaction, limit=100)
            ]

    def dump(self) -> list[object]:
        """Return everything that visitors and maintainers may see of models."""
        entries = self.maintenance.list(self.mia, limit=100).entries
        public = [self.directory.get(entry.model.public_id, self.mia) for entry in entries if entry.n_public]
        return [*entries, *public, *self.rows(), self.suggest()]


@pytest.fixture
def world(database: Database) -> World:
    return World(database)


# --- merging and splitting ------------------------------------------------------------------------------------------


def test_merged_model_is_shown_as_the_other_and_its_submission_keeps_name_and_scores(world: World) -> None:
    first, second = world.add("Qwen2-Audio-7B"), world.add("Qwen2-Audio-Instruct", owner=world.bob)
    world.add("Elsewhere", key=OTHER_BOARD)
    before, elsewhere = world.rows(), world.counts(OTHER_BOARD)
    revision, changes, relabelled = world.counts()
    world.merge("Qwen2-Audio-7B", "Qwen2-Audio-Instruct")
    rows = world.rows()
    assert world.list_names() == {first: "Qwen2-Audio-Instruct", second: "Qwen2-Audio-Instruct"}, "both rows stay"
    assert {row.submission.id: row.submission.model.name for row in rows}[first] == "Qwen2-Audio-7B"
    assert [(row.submission, row.evaluation, row.standings) for row in rows] == [
        (row.submission, row.evaluation, row.standings) for row in before
    ]
    assert world.counts() == (revision, changes, relabelled + 1), "it is reloaded, and no score is recomputed"
    assert world.counts(OTHER_BOARD) == elsewhere
    for query in ("audio-7b", "instruct"):
        assert first in {row.submission.id for row in world.rows(query)}, "found by either name"
    assert world.list_acts()[0] == (
        "mia",
        "join-model",
        {
            "model": "Qwen2-Audio-7B",
            "to": world.id_of("Qwen2-Audio-Instruct"),
            "to_model": "Qwen2-Audio-Instruct",
            "n_models": 1,
            "reason": "One model.",
        },
    )


def test_split_restores_the_previous_state(world: World) -> None:
    for name in ("A", "a2", "B", "b2"):
        world.add(name)
    world.merge("a2", "A")
    world.merge("b2", "B")
    before = world.dump()
    world.merge("A", "B")
    assert set(world.list_names().values()) == {"B"}
    assert world.suggest() == {"B": ("A", "a2", "b2")}
    world.split("A")
    assert world.dump() == before


def test_merge_into_an_alias_is_a_merge_into_its_target(world: World) -> None:
    for name in ("A", "B", "C"):
        world.add(name)
    world.merge("B", "A")
    world.merge("C", "B")
    entry = world.maintenance.get(world.id_of("C"), world.mia)
    assert entry.joined_to is not None
    assert entry.joined_to.name == "A"
    world.split("B")
    assert set(world.list_names().values()) == {"A", "B"}
    assert world.suggest()["A"] == ("C",)


def test_random_merges_and_splits_show_every_model_as_its_final_target(world: World) -> None:
    """Compare with a simple model: every merge is followed to its final target."""
    names = [f"model {number}" for number in range(5)]
    for name in names:
        world.add(name)
    targets: dict[str, str] = {}

    def find_target(name: str) -> str:
        return find_target(targets[name]) if name in targets else name

    rng = random.Random(5)
    refused = 0
    for _ in range(30):
        first, second = rng.sample(names, 2)
        if first in targets:
            world.split(first)
            del targets[first]
        elif find_target(second) == first:
            refused += 1
            with pytest.raises(StateError, match="already"):
                world.merge(first, second)
        else:
            world.merge(first, second)
            targets[first] = find_target(second)
        assert world.list_names() == {row.submission.id: find_target(row.submission.model.name) for row in world.rows()}
    assert refused
    assert targets


def test_invalid_merge_is_refused_and_changes_nothing(world: World) -> None:
    for name in ("A", "a2", "B"):
        world.add(name)
    for visibility in ("private", "hidden"):
        world.add(visibility, visibility=visibility)
    world.merge("a2", "A")
    before, acts = world.dump(), world.list_acts()
    for first, second, message in (
        ("A", "A", "Both names already belong to A"),
        ("A", "a2", "Both names already belong to A"),
        ("a2", "B", "a2 is already merged into A. Split it first."),
        ("a2", "A", "a2 is already merged into A. Split it first."),
        ("B", "private", "private has no public row"),
        ("B", "hidden", "hidden has no public row"),
    ):
        with pytest.raises(StateError) as caught:
            world.merge(first, second)
        assert message in str(caught.value)
    assert (world.dump(), world.list_acts()) == (before, acts)


def test_acts_on_unknown_models_or_without_a_reason_are_refused(world: World) -> None:
    world.add("A")
    model_id = world.id_of("A")
    for act, error in (
        (lambda: world.maintenance.join("m-none", model_id, world.mia, "r"), NotFoundError),
        (lambda: world.maintenance.join(model_id, "m-none", world.mia, "r"), BadRequestError),
        (lambda: world.maintenance.split("m-none", world.mia, "r"), NotFoundError),
        (lambda: world.maintenance.split(model_id, world.mia, "r"), StateError),
        (lambda: world.maintenance.split(model_id, world.mia, " "), BadRequestError),
        (lambda: world.maintenance.split(model_id, world.mia, "a\x00b"), BadRequestError),
        (lambda: world.maintenance.get("m-\u202enone", world.mia), NotFoundError),
    ):
        with pytest.raises(error) as caught:
            act()
        assert str(caught.value).isprintable()
    for denied in (
        lambda: world.maintenance.join(model_id, model_id, world.ann, "r"),
        lambda: world.maintenance.split(model_id, world.ann, "r"),
        lambda: world.maintenance.describe(model_id, {}, world.ann, "r"),
        lambda: world.maintenance.list(world.ann),
        lambda: world.maintenance.get(model_id, world.ann),
    ):
        with pytest.raises(NotAllowedError):
            denied()
    assert world.list_acts() == []


def test_submission_under_an_alias_belongs_to_the_named_model_and_is_shown_as_the_target(world: World) -> None:
    world.add("A")
    world.add("B")
    world.merge("A", "B")
    submission_id = world.add(NewModel(" a"), owner=world.bob)
    (row,) = (row for row in world.rows() if row.submission.id == submission_id)
    assert (row.submission.model.name, row.model.name) == (" a", "B")
    world.split("A")
    assert world.list_names()[submission_id] == "A"


# --- descriptions by maintainers ------------------------------------------------------------------------------------


def test_description_by_a_maintainer_overrides_submitted_facts_until_it_is_removed(world: World) -> None:
    submitted = NewModel("A", "Lab", "LALM", 7.0, open_weights=True, url="https://a", links=("https://b",))
    world.add(submitted)
    before = world.dump()
    key = world.id_of("A")
    world.maintenance.describe(key, {"organisation": "Laboratory", "open_weights": False}, world.mia, "As they say.")
    model = world.rows()[0].model
    assert (model.organisation, model.kind, model.size_billions, model.open_weights) == (
        "Laboratory",
        "LALM",
        7.0,
        False,
    )
    assert model.all_links == ("https://a", "https://b")
    world.maintenance.describe(key, {"links": ()}, world.mia, "They lead astray.")
    assert world.rows()[0].model.all_links == ()
    assert world.rows()[0].submission.model.all_links == ("https://a", "https://b"), "the submitted model is unchanged"
    assert [row.submission.id for row in world.rows("laboratory")] == ["s-1"]
    (summary,) = world.directory.suggest("", None, 5)
    assert summary.facts == ModelFacts("Laboratory", "LALM", 7.0, open_weights=False, links=())
    world.maintenance.describe(key, dict.fromkeys(("organisation", "open_weights", "links")), world.mia, "Undone.")
    assert world.dump() == before
    details = world.list_acts()[-1][2]
    assert (details["before"], details["now"]) == (
        json.loads('{"kind":null,"links":null,"open_weights":null,"organisation":null,"size_billions":null}'),
        json.loads('{"kind":null,"links":null,"open_weights":false,"organisation":"Laboratory","size_billions":null}'),
    )


def test_facts_of_a_merged_model_are_those_of_its_target_until_it_is_split(world: World) -> None:
    world.add("A")
    world.add("B", key=OTHER_BOARD)
    world.maintenance.describe(world.id_of("A"), {"kind": "of A"}, world.mia, "r")
    world.maintenance.describe(world.id_of("B"), {"kind": "of B"}, world.mia, "r")
    world.merge("A", "B")
    assert world.rows()[0].model.kind == "of B"
    before = world.counts()
    world.maintenance.describe(world.id_of("B"), {"kind": "still of B"}, world.mia, "r")
    assert world.rows()[0].model.kind == "still of B"
    assert world.counts()[2] == before[2] + 1, "the boards of its aliases are reloaded too"
    with pytest.raises(StateError, match=r"A is merged into B\. Describe m-"):
        world.maintenance.describe(world.id_of("A"), {"kind": "x"}, world.mia, "r")
    world.split("A")
    assert world.rows()[0].model.kind == "of A"


def test_invalid_facts_are_refused(world: World) -> None:
    world.add("A")
    for facts, field_name in (
        ({"organisation": "x" * 121}, "model.organisation"),
        ({"organisation": "a\u202eb"}, "model.organisation"),
        ({"kind": ""}, "model.kind"),
        ({"size_billions": -1.0}, "model.size_billions"),
        ({"links": ("javascript:alert(1)",)}, "model.url"),
        ({"links": ("https://a", "ftp://a")}, "model.links"),
        ({"links": ("https://a",) * 6}, "model.links"),
    ):
        with pytest.raises(BadRequestError) as caught:
            world.maintenance.describe(world.id_of("A"), facts, world.mia, "r")
        assert caught.value.field == field_name
    with pytest.raises(StateError, match="already"):
        world.maintenance.describe(world.id_of("A"), {"kind": None}, world.mia, "r")
    assert world.list_acts() == []


def test_facts_come_from_reported_rows_first_and_never_from_private_rows(world: World) -> None:
    world.add(NewModel("A", "Secret", "secret", 1.0), visibility="private", owner=world.bob)
    world.add(NewModel("a", kind="later", size_billions=2.0))
    world.add(NewModel("A", kind="reported"), source="reported")
    for viewer in (None, world.bob):
        (summary,) = world.directory.suggest("a", viewer, 5)
        assert summary.facts == ModelFacts(kind="reported"), "facts from other users stay with their rows"


def test_facts_without_a_reported_row_come_from_the_first_submissions_and_from_own_ones(world: World) -> None:
    world.add(NewModel("A", "Secret", "secret", 1.0), visibility="private", owner=world.bob)
    world.add(NewModel("a", kind="later", size_billions=2.0))
    world.add(NewModel("A", "Laboratory", "last"))
    (summary,) = world.directory.suggest("a", None, 5)
    assert summary.facts == ModelFacts("Laboratory", "later", 2.0)
    (own,) = world.directory.suggest("a", world.bob, 5)
    assert own.facts == ModelFacts("Secret", "secret", 1.0), "owners see their own rows"


# --- visibility of names --------------------------------------------------------------------------------------------


def test_names_of_private_and_hidden_submissions_are_visible_only_to_their_owner(world: World) -> None:
    world.add("Known Qwen")
    world.add("Private Qwen", visibility="private", owner=world.bob)
    world.add("Hidden Qwen", visibility="hidden", owner=world.bob)
    for query in ("", "qwen", "private qwen", "hidden"):
        assert set(world.suggest(query)) <= {"Known Qwen"}
        assert set(world.suggest(query, world.ann)) <= {"Known Qwen"}
    assert set(world.suggest("qwen", world.bob)) == {"Known Qwen", "Private Qwen", "Hidden Qwen"}
    for name in ("Private Qwen", "Hidden Qwen"):
        for viewer in (None, world.ann, world.mia):
            with pytest.raises(NotFoundError):
                world.directory.get(world.id_of(name), viewer)
            assert world.directory.find_named(name, viewer) is None
        assert world.directory.find_named(name, world.bob) is not None
    (row,) = world.directory.get(world.id_of("Private Qwen"), world.bob).rows
    assert row.visibility == "private"


def test_unpublished_alias_stays_private_after_a_merge(world: World) -> None:
    world.add("Known")
    world.add("Code name", visibility="private", owner=world.bob)
    world.merge("Code name", "Known")
    assert world.suggest() == {"Known": ()}
    assert world.suggest("code") == {}
    assert world.directory.find_named("code name", None) is None
    with pytest.raises(NotFoundError):
        world.directory.get(world.id_of("Code name"), None)
    assert world.suggest("code", world.bob) == {"Known": ("Code name",)}
    page = world.directory.get(world.id_of("Code name"), world.bob)
    assert (page.summary.name, [row.submitted.name for row in page.rows]) == ("Known", ["Known", "Code name"])
    assert [row.submitted.name for row in world.directory.get(world.id_of("Known"), None).rows] == ["Known"]


def test_directory_and_etag_change_with_publications_merges_and_descriptions(world: World) -> None:
    world.add("A")
    late = world.add("B", visibility="private")
    assert world.suggest() == {"A": ()}
    etags = {world.directory.make_etag(None)}
    with world.database.write() as transaction:
        submissions.publish_submission(transaction, late, NOW)
        boards.touch_board(transaction, BOARD, NOW)
    assert world.suggest() == {"A": (), "B": ()}
    etags.add(world.directory.make_etag(None))
    world.merge("A", "B")
    assert world.suggest() == {"B": ("A",)}
    etags.add(world.directory.make_etag(None))
    world.maintenance.describe(world.id_of("B"), {"kind": "x"}, world.mia, "r")
    etags.add(world.directory.make_etag(None))
    own = world.directory.make_etag(world.bob)
    world.add("C", visibility="private", owner=world.bob)
    assert own != world.directory.make_etag(world.bob) != world.directory.make_etag(world.ann)
    assert len(etags) == 4


def test_page_of_a_model_has_the_rows_of_all_its_names_with_headline_scores(world: World) -> None:
    first, second = world.add("A"), world.add("B", source="reported")
    world.merge("A", "B")
    page = world.directory.get(world.id_of("A"), None)
    assert [(row.submission, row.submitted.name, row.signature) for row in page.rows] == [
        (second, "B", "sig-2"),
        (first, "A", "sig-1"),
    ]
    headline = page.rows[1].headline[BENCHMARK.headline.key]
    assert (headline.value, headline.rank) == (0.01, 2)
    assert (page.summary.name, page.summary.aliases, page.summary.n_rows) == ("B", ("A",), 2)


# --- model list of maintainers --------------------------------------------------------------------------------------


def test_model_list_has_counts_and_likely_duplicates_on_every_page(world: World) -> None:
    for name in ("Qwen2-Audio-7B", "qwen2 audio instruct", "Gemini"):
        world.add(name)
    world.add("QWEN2-AUDIO-7B", visibility="private", owner=world.bob)
    world.add("Qwen2-Audio-Chat", visibility="private", owner=world.bob)
    full = world.maintenance.list(world.mia)
    assert full.next_after is None
    duplicates = {
        item.model.name: (item.n_submissions, item.n_public, [other.name for other in item.likely_duplicates])
        for item in full.entries
    }
    assert duplicates == {
        "Gemini": (1, 1, []),
        "qwen2 audio instruct": (1, 1, ["Qwen2-Audio-7B", "Qwen2-Audio-Chat"]),
        "Qwen2-Audio-7B": (2, 1, ["qwen2 audio instruct", "Qwen2-Audio-Chat"]),
        "Qwen2-Audio-Chat": (1, 0, ["qwen2 audio instruct", "Qwen2-Audio-7B"]),
    }
    paged: list[ModelEntry] = []
    after = None
    for _ in range(4):
        page = world.maintenance.list(world.mia, limit=1, after=after)
        paged += page.entries
        after = page.next_after
    assert (tuple(paged), after) == (full.entries, None)
    world.merge("Qwen2-Audio-7B", "qwen2 audio instruct")
    entry = world.maintenance.get(world.id_of("qwen2 audio instruct"), world.mia)
    assert [item.name for item in entry.aliases] == ["Qwen2-Audio-7B"]
    assert [item.name for item in entry.likely_duplicates] == ["Qwen2-Audio-Chat"]
    assert [item.model.name for item in world.maintenance.list(world.mia, "GEM").entries] == ["Gemini"]
    for query, after in (("a\x00", None), ("x" * 121, None), ("", "m-none")):
        with pytest.raises(BadRequestError):
            world.maintenance.list(world.mia, query, after=after)
