"""Merging, splitting and describing of models by maintainers, and what is public of it."""

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
        described = NewModel(model) if isinstance(model, str) else model
        board = (key.benchmark, key.version, key.setting)
        owner_id = (owner or self.ann).id
        new = NewSubmission(
            f"s-{number}", *board, source, owner_id, described, visibility, False, f"{number:064}", 1, None
        )
        headline = BENCHMARK.headline
        score = ScoreRecord(headline.slice, headline.metric, number / 100, 100)
        with self.database.write() as transaction:
            submissions.add_submission(transaction, new, "scored", NOW)
            result = NewResult(f"sig-{number}", "r", (), 1, 1, 0, 0, {}, (score,))
            evaluations.add_finished_evaluation(transaction, new.id, result, NOW)
            if visibility == "public":
                boards.touch_board(transaction, key, NOW)
        refresh_board(self.database, BENCHMARK, key.setting, "r", NOW)
        return new.id

    def id_of(self, name: str) -> str:
        with self.database.read() as transaction:
            return next(one.public_id for one in models.list_models(transaction) if one.name == name)

    def join(self, name: str, target: str) -> None:
        self.maintenance.join(self.id_of(name), self.id_of(target), self.mia, "One model.")

    def split(self, name: str) -> None:
        self.maintenance.split(self.id_of(name), self.mia, "Two models.")

    def rows(self, search: str = "", key: BoardKey = BOARD) -> list[BoardRow]:
        figure = BENCHMARK.headline.key
        query = PageQuery(figure, descending=True, search=search, limit=100)
        with self.database.read() as transaction:
            return list(boards.read_page(transaction, key, query, [figure]).rows)

    def shown(self) -> dict[str, str]:
        """Return submission → name on the board."""
        return {row.submission.id: row.model.name for row in self.rows()}

    def counts(self, key: BoardKey = BOARD) -> tuple[int, int, int]:
        with self.database.read() as transaction:
            found = boards.find_board(transaction, key)
        assert found is not None
        return found.revision, found.changes, found.relabelled

    def suggested(self, query: str = "", viewer: UserRecord | None = None) -> dict[str, tuple[str, ...]]:
        """Return name → aliases."""
        return {one.name: one.aliases for one in self.directory.suggest(query, viewer, 50)}

    def acts(self) -> list[tuple[str, str, dict[str, object]]]:
        with self.database.read() as transaction:
            assert audit.verify(transaction).broken_at is None
            return [(one.actor, one.action, dict(one.details)) for one in audit.list_entries(transaction, limit=100)]

    def dump(self) -> list[object]:
        """Return everything that a visitor or a maintainer may see of models."""
        entries = self.maintenance.list(self.mia, limit=100).entries
        public = [self.directory.get(one.model.public_id, self.mia) for one in entries if one.n_public]
        return [*entries, *public, *self.rows(), self.suggested()]


@pytest.fixture
def world(database: Database) -> World:
    return World(database)


# --- joining and splitting ------------------------------------------------------------------------------------------


def test_joined_model_is_shown_as_the_other_and_its_submission_keeps_its_name_and_figures(world: World) -> None:
    one, other = world.add("Qwen2-Audio-7B"), world.add("Qwen2-Audio-Instruct", owner=world.bob)
    world.add("Elsewhere", key=OTHER_BOARD)
    before, elsewhere = world.rows(), world.counts(OTHER_BOARD)
    revision, changes, relabelled = world.counts()
    world.join("Qwen2-Audio-7B", "Qwen2-Audio-Instruct")
    rows = world.rows()
    assert world.shown() == {one: "Qwen2-Audio-Instruct", other: "Qwen2-Audio-Instruct"}, "both rows stay"
    assert {row.submission.id: row.submission.model.name for row in rows}[one] == "Qwen2-Audio-7B"
    assert [(row.submission, row.evaluation, row.standings) for row in rows] == [
        (row.submission, row.evaluation, row.standings) for row in before
    ]
    assert world.counts() == (revision, changes, relabelled + 1), "it is read anew, and no figure is made anew"
    assert world.counts(OTHER_BOARD) == elsewhere
    for words in ("audio-7b", "instruct"):
        assert one in {row.submission.id for row in world.rows(words)}, "found by either name"
    assert world.acts()[0] == (
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


def test_split_gives_exactly_what_was_before(world: World) -> None:
    for name in ("A", "a2", "B", "b2"):
        world.add(name)
    world.join("a2", "A")
    world.join("b2", "B")
    before = world.dump()
    world.join("A", "B")
    assert set(world.shown().values()) == {"B"}
    assert world.suggested() == {"B": ("A", "a2", "b2")}
    world.split("A")
    assert world.dump() == before


def test_joining_to_an_alias_is_joining_to_what_that_is_shown_as(world: World) -> None:
    for name in ("A", "B", "C"):
        world.add(name)
    world.join("B", "A")
    world.join("C", "B")
    entry = world.maintenance.get(world.id_of("C"), world.mia)
    assert entry.joined_to is not None
    assert entry.joined_to.name == "A"
    world.split("B")
    assert set(world.shown().values()) == {"A", "B"}
    assert world.suggested()["A"] == ("C",)


def test_random_acts_leave_every_model_shown_as_the_end_of_its_way(world: World) -> None:
    """Against a plain picture: who was joined to whom, followed to the end each time."""
    names = [f"model {number}" for number in range(5)]
    for name in names:
        world.add(name)
    above: dict[str, str] = {}

    def end_of(name: str) -> str:
        return end_of(above[name]) if name in above else name

    chance = random.Random(5)
    refused = 0
    for _ in range(30):
        one, other = chance.sample(names, 2)
        if one in above:
            world.split(one)
            del above[one]
        elif end_of(other) == one:
            refused += 1
            with pytest.raises(StateError, match="already"):
                world.join(one, other)
        else:
            world.join(one, other)
            above[one] = end_of(other)
        assert world.shown() == {row.submission.id: end_of(row.submission.model.name) for row in world.rows()}
    assert refused
    assert above


def test_joining_that_cannot_be_is_refused_and_changes_nothing(world: World) -> None:
    for name in ("A", "a2", "B"):
        world.add(name)
    for visibility in ("private", "hidden"):
        world.add(visibility, visibility=visibility)
    world.join("a2", "A")
    before, acts = world.dump(), world.acts()
    for one, other, said in (
        ("A", "A", "Both names already belong to A"),
        ("A", "a2", "Both names already belong to A"),
        ("a2", "B", "a2 is already merged into A. Split it first."),
        ("a2", "A", "a2 is already merged into A. Split it first."),
        ("B", "private", "private has no public row"),
        ("B", "hidden", "hidden has no public row"),
    ):
        with pytest.raises(StateError) as caught:
            world.join(one, other)
        assert said in str(caught.value)
    assert (world.dump(), world.acts()) == (before, acts)


def test_acts_on_what_is_not_there_or_without_a_reason_are_refused(world: World) -> None:
    world.add("A")
    known = world.id_of("A")
    for act, error in (
        (lambda: world.maintenance.join("m-none", known, world.mia, "r"), NotFoundError),
        (lambda: world.maintenance.join(known, "m-none", world.mia, "r"), BadRequestError),
        (lambda: world.maintenance.split("m-none", world.mia, "r"), NotFoundError),
        (lambda: world.maintenance.split(known, world.mia, "r"), StateError),
        (lambda: world.maintenance.split(known, world.mia, " "), BadRequestError),
        (lambda: world.maintenance.split(known, world.mia, "a\x00b"), BadRequestError),
        (lambda: world.maintenance.get("m-\u202enone", world.mia), NotFoundError),
    ):
        with pytest.raises(error) as caught:
            act()
        assert str(caught.value).isprintable()
    for denied in (
        lambda: world.maintenance.join(known, known, world.ann, "r"),
        lambda: world.maintenance.split(known, world.ann, "r"),
        lambda: world.maintenance.describe(known, {}, world.ann, "r"),
        lambda: world.maintenance.list(world.ann),
        lambda: world.maintenance.get(known, world.ann),
    ):
        with pytest.raises(NotAllowedError):
            denied()
    assert world.acts() == []


def test_submission_under_an_alias_goes_to_the_model_of_its_name_and_is_shown_as_the_other(world: World) -> None:
    world.add("A")
    world.add("B")
    world.join("A", "B")
    sent = world.add(NewModel(" a"), owner=world.bob)
    (row,) = (row for row in world.rows() if row.submission.id == sent)
    assert (row.submission.model.name, row.model.name) == (" a", "B")
    world.split("A")
    assert world.shown()[sent] == "A"


# --- what maintainers say -------------------------------------------------------------------------------------------


def test_what_a_maintainer_says_goes_before_what_was_sent_field_by_field_until_he_takes_it_back(world: World) -> None:
    sent = NewModel("A", "Lab", "LALM", 7.0, open_weights=True, url="https://a", links=("https://b",))
    world.add(sent)
    before = world.dump()
    key = world.id_of("A")
    world.maintenance.describe(key, {"organisation": "Laboratory", "open_weights": False}, world.mia, "As they say.")
    shown = world.rows()[0].model
    assert (shown.organisation, shown.kind, shown.size_billions, shown.open_weights) == (
        "Laboratory",
        "LALM",
        7.0,
        False,
    )
    assert shown.all_links == ("https://a", "https://b")
    world.maintenance.describe(key, {"links": ()}, world.mia, "They lead astray.")
    assert world.rows()[0].model.all_links == ()
    assert world.rows()[0].submission.model.all_links == ("https://a", "https://b"), "what was sent stays"
    assert [row.submission.id for row in world.rows("laboratory")] == ["s-1"]
    (summary,) = world.directory.suggest("", None, 5)
    assert summary.facts == ModelFacts("Laboratory", "LALM", 7.0, open_weights=False, links=())
    world.maintenance.describe(key, dict.fromkeys(("organisation", "open_weights", "links")), world.mia, "Undone.")
    assert world.dump() == before
    details = world.acts()[-1][2]
    assert (details["before"], details["now"]) == (
        json.loads('{"kind":null,"links":null,"open_weights":null,"organisation":null,"size_billions":null}'),
        json.loads('{"kind":null,"links":null,"open_weights":false,"organisation":"Laboratory","size_billions":null}'),
    )


def test_facts_of_a_joined_model_are_the_others_and_come_back_with_the_split(world: World) -> None:
    world.add("A")
    world.add("B", key=OTHER_BOARD)
    world.maintenance.describe(world.id_of("A"), {"kind": "of A"}, world.mia, "r")
    world.maintenance.describe(world.id_of("B"), {"kind": "of B"}, world.mia, "r")
    world.join("A", "B")
    assert world.rows()[0].model.kind == "of B"
    before = world.counts()
    world.maintenance.describe(world.id_of("B"), {"kind": "still of B"}, world.mia, "r")
    assert world.rows()[0].model.kind == "still of B"
    assert world.counts()[2] == before[2] + 1, "the boards of its aliases are read anew too"
    with pytest.raises(StateError, match=r"A is merged into B\. Describe m-"):
        world.maintenance.describe(world.id_of("A"), {"kind": "x"}, world.mia, "r")
    world.split("A")
    assert world.rows()[0].model.kind == "of A"


def test_facts_that_may_not_be_shown_are_refused(world: World) -> None:
    world.add("A")
    for said, where in (
        ({"organisation": "x" * 121}, "model.organisation"),
        ({"organisation": "a\u202eb"}, "model.organisation"),
        ({"kind": ""}, "model.kind"),
        ({"size_billions": -1.0}, "model.size_billions"),
        ({"links": ("javascript:alert(1)",)}, "model.url"),
        ({"links": ("https://a", "ftp://a")}, "model.links"),
        ({"links": ("https://a",) * 6}, "model.links"),
    ):
        with pytest.raises(BadRequestError) as caught:
            world.maintenance.describe(world.id_of("A"), said, world.mia, "r")
        assert caught.value.field == where
    with pytest.raises(StateError, match="already"):
        world.maintenance.describe(world.id_of("A"), {"kind": None}, world.mia, "r")
    assert world.acts() == []


def test_facts_of_a_model_are_those_of_reported_rows_first_and_never_of_private_ones(world: World) -> None:
    world.add(NewModel("A", "Secret", "secret", 1.0), visibility="private", owner=world.bob)
    world.add(NewModel("a", kind="later", size_billions=2.0))
    world.add(NewModel("A", kind="reported"), source="reported")
    for viewer in (None, world.bob):
        (seen,) = world.directory.suggest("a", viewer, 5)
        assert seen.facts == ModelFacts(kind="reported"), "what strangers say of it stays with their rows"


def test_facts_of_a_model_that_only_files_name_are_those_of_the_first_and_of_ones_own(world: World) -> None:
    world.add(NewModel("A", "Secret", "secret", 1.0), visibility="private", owner=world.bob)
    world.add(NewModel("a", kind="later", size_billions=2.0))
    world.add(NewModel("A", "Laboratory", "last"))
    (seen,) = world.directory.suggest("a", None, 5)
    assert seen.facts == ModelFacts("Laboratory", "later", 2.0)
    (own,) = world.directory.suggest("a", world.bob, 5)
    assert own.facts == ModelFacts("Secret", "secret", 1.0), "his own row is one that he may see"


# --- what anybody learns --------------------------------------------------------------------------------------------


def test_names_of_private_and_hidden_submissions_are_their_owners_alone(world: World) -> None:
    world.add("Known Qwen")
    world.add("Private Qwen", visibility="private", owner=world.bob)
    world.add("Hidden Qwen", visibility="hidden", owner=world.bob)
    for query in ("", "qwen", "private qwen", "hidden"):
        assert set(world.suggested(query)) <= {"Known Qwen"}
        assert set(world.suggested(query, world.ann)) <= {"Known Qwen"}
    assert set(world.suggested("qwen", world.bob)) == {"Known Qwen", "Private Qwen", "Hidden Qwen"}
    for name in ("Private Qwen", "Hidden Qwen"):
        for viewer in (None, world.ann, world.mia):
            with pytest.raises(NotFoundError):
                world.directory.get(world.id_of(name), viewer)
            assert world.directory.find_named(name, viewer) is None
        assert world.directory.find_named(name, world.bob) is not None
    (row,) = world.directory.get(world.id_of("Private Qwen"), world.bob).rows
    assert row.visibility == "private"


def test_alias_that_was_never_published_is_nobodys_to_see_though_it_is_joined(world: World) -> None:
    world.add("Known")
    world.add("Code name", visibility="private", owner=world.bob)
    world.join("Code name", "Known")
    assert world.suggested() == {"Known": ()}
    assert world.suggested("code") == {}
    assert world.directory.find_named("code name", None) is None
    with pytest.raises(NotFoundError):
        world.directory.get(world.id_of("Code name"), None)
    assert world.suggested("code", world.bob) == {"Known": ("Code name",)}
    page = world.directory.get(world.id_of("Code name"), world.bob)
    assert (page.summary.name, [row.submitted.name for row in page.rows]) == ("Known", ["Known", "Code name"])
    assert [row.submitted.name for row in world.directory.get(world.id_of("Known"), None).rows] == ["Known"]


def test_directory_follows_what_is_published_hidden_and_joined(world: World) -> None:
    world.add("A")
    late = world.add("B", visibility="private")
    assert world.suggested() == {"A": ()}
    etags = {world.directory.make_etag(None)}
    with world.database.write() as transaction:
        submissions.publish_submission(transaction, late, NOW)
        boards.touch_board(transaction, BOARD, NOW)
    assert world.suggested() == {"A": (), "B": ()}
    etags.add(world.directory.make_etag(None))
    world.join("A", "B")
    assert world.suggested() == {"B": ("A",)}
    etags.add(world.directory.make_etag(None))
    world.maintenance.describe(world.id_of("B"), {"kind": "x"}, world.mia, "r")
    etags.add(world.directory.make_etag(None))
    own = world.directory.make_etag(world.bob)
    world.add("C", visibility="private", owner=world.bob)
    assert own != world.directory.make_etag(world.bob) != world.directory.make_etag(world.ann)
    assert len(etags) == 4


def test_page_of_a_model_has_its_rows_under_every_name_with_their_headline_figures(world: World) -> None:
    one, other = world.add("A"), world.add("B", source="reported")
    world.join("A", "B")
    page = world.directory.get(world.id_of("A"), None)
    assert [(row.submission, row.submitted.name, row.signature) for row in page.rows] == [
        (other, "B", "sig-2"),
        (one, "A", "sig-1"),
    ]
    headline = page.rows[1].headline[BENCHMARK.headline.key]
    assert (headline.value, headline.rank) == (0.01, 2)
    assert (page.summary.name, page.summary.aliases, page.summary.n_rows) == ("B", ("A",), 2)


# --- what maintainers see -------------------------------------------------------------------------------------------


def test_maintainers_list_has_every_model_with_counts_and_likely_duplicates_page_by_page(world: World) -> None:
    for name in ("Qwen2-Audio-7B", "qwen2 audio instruct", "Gemini"):
        world.add(name)
    world.add("QWEN2-AUDIO-7B", visibility="private", owner=world.bob)
    world.add("Qwen2-Audio-Chat", visibility="private", owner=world.bob)
    whole = world.maintenance.list(world.mia)
    assert whole.next_after is None
    found = {
        one.model.name: (one.n_submissions, one.n_public, [other.name for other in one.likely_duplicates])
        for one in whole.entries
    }
    assert found == {
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
    assert (tuple(paged), after) == (whole.entries, None)
    world.join("Qwen2-Audio-7B", "qwen2 audio instruct")
    entry = world.maintenance.get(world.id_of("qwen2 audio instruct"), world.mia)
    assert [one.name for one in entry.aliases] == ["Qwen2-Audio-7B"]
    assert [one.name for one in entry.likely_duplicates] == ["Qwen2-Audio-Chat"]
    assert [one.model.name for one in world.maintenance.list(world.mia, "GEM").entries] == ["Gemini"]
    for query, after in (("a\x00", None), ("x" * 121, None), ("", "m-none")):
        with pytest.raises(BadRequestError):
            world.maintenance.list(world.mia, query, after=after)
