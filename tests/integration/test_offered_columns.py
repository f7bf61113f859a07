"""Offered columns of boards: those that the version can fill, and those in which a row has a value."""

from sqlalchemy import update

from db.models import Submission
from evaluation import get_benchmark
from leaderboard.boards.offered_columns import OfferedColumnsCache
from tests.support.samples.printed_rows import make_csv, make_line
from tests.support.servers.live_site import BENCHMARK, Site, add_row, rank

BOARD_URL = f"/api/v1/leaderboards/{BENCHMARK.id}"
THIN = "sct/15db/tf|accuracy"
SHOWN = {column.key for column in BENCHMARK.columns if column.shown and not column.needs_value}
OF_CHANCE = {"overall|accuracy", "sct|accuracy", "overall/clean/tf|yes_bias"}


def add_chance(site: Site) -> None:
    """Add a row of seeded guesses, which were submitted as a file."""
    row = add_row(site.services, "Chance", 0.25, source="random")
    with site.services.database.write() as transaction:
        transaction.execute(update(Submission).where(Submission.id == row).values(artifact_sha256="0" * 64))
    rank(site.services)


def read_offered(site: Site) -> list[set[str]]:
    """Return the columns of the benchmark, of a page of its board, and of its export."""
    described = site.get(f"/api/v1/benchmarks/{BENCHMARK.id}").json()["columns"]
    page = site.get(f"{BOARD_URL}?limit=1&columns=all").json()["columns"]
    header = site.get(f"{BOARD_URL}/export?format=csv").text.partition("\r\n")[0].split(",")
    exported = {name for name in header if name.count("|") == 1}
    return [{column["key"] for column in described}, {column["key"] for column in page}, exported]


def test_columns_that_no_submission_can_fill_are_offered_once_a_row_has_a_value(site: Site) -> None:
    add_chance(site)
    assert read_offered(site) == [SHOWN | OF_CHANCE] * 3
    assert THIN not in SHOWN | OF_CHANCE
    token = site.token("local")
    file = {"file": ("rows.csv", make_csv(make_line(slice="sct/15db/tf", value="0.5")))}
    site.post("/api/v1/admin/reported-rows", token, files=file, data={"reason": "As printed"})
    rank(site.services)
    assert read_offered(site) == [SHOWN | OF_CHANCE | {THIN}] * 3


def test_column_that_is_not_offered_can_still_be_requested(site: Site) -> None:
    add_chance(site)
    body = site.get(f"{BOARD_URL}?columns={THIN}").json()
    assert [column["key"] for column in body["columns"]] == [THIN]


def test_all_columns_are_offered_until_the_chance_row_is_scored(site: Site) -> None:
    add_row(site.services, "Printed chance", 0.25, source="random")
    rank(site.services)
    assert read_offered(site) == [{column.key for column in BENCHMARK.columns if not column.needs_value}] * 3


def test_version_without_questions_offers_the_columns_of_its_rows_and_its_defaults(site: Site) -> None:
    mdar = get_benchmark("mdar", "1.0")
    with site.services.database.read() as transaction:
        found = OfferedColumnsCache().find_columns(transaction, mdar, mdar.settings)
    offered = {column.key for column in found.columns}
    judged = {metric.id for metric in mdar.metrics if metric.judged}
    assert offered < {column.key for column in mdar.columns}
    assert offered >= {column.key for column in mdar.columns if column.shown or column.metric in judged}
    assert offered >= {mdar.headline_of(setting).key for setting in mdar.settings}
