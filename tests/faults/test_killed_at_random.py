"""SIGKILL of evaluator and intake at random moments and at every label, on long-lived installations.

`--kills` sets the number of kills (default 60; 20,000 in `make soak`), `--kill-seed` their moments. Invariants I1 to I6
and I9 are checked after every kill, and all of `tests.support.kills.invariants` after every drain. A tenth as many
kills, at least 20, hit the intake of uploads.
"""

import random
import shutil
import sys
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.support.kills import invariants
from tests.support.kills.campaign import OWNERS, Campaign, draw_death, fill_queue, prepare
from tests.support.kills.forking import Warm

KILLS_OF_A_COPY = 100
INTAKE_LABELS = ("arriving", "arrived", "kept", "adding", "added")
N_QUEUED = 100
N_QUEUED_IN_SOAK = 1_000


@dataclass
class Tally:
    """Totals over all installations."""

    seed: int
    capsys: pytest.CaptureFixture[str]
    kills: Counter[str] = field(default_factory=Counter)
    ends: Counter[str] = field(default_factory=Counter)
    n_sent: int = 0
    n_boards: int = 0
    n_twice: int = 0

    def close(self, campaign: Campaign) -> None:
        self.ends += Counter(campaign.drain())
        self.n_sent += len(campaign.acknowledged)
        self.n_boards += campaign.n_boards
        with invariants.open_rows(campaign.folder) as rows:
            (n_twice,) = rows.execute(
                "select count(*) - count(distinct submission_id) from submission_events where from_state = 'running' "
                "and to_state = 'scored'"
            ).fetchone()
        self.n_twice += n_twice

    def tell(self, what: str) -> None:
        """Print the numbers quoted in the documentation."""
        places = ", ".join(f"{place} {n:,}" for place, n in sorted(self.kills.items()))
        ends = ", ".join(f"{n:,} {end}" for end, n in sorted(self.ends.items()))
        n_lost = self.n_sent - self.ends.total()
        with self.capsys.disabled():
            sys.stdout.write(
                f"\n{what} (seed {self.seed}): {self.kills.total():,} kills: {places}. {self.n_sent:,} submissions: "
                f"{ends}; lost {n_lost}, twice {self.n_twice}; {self.n_boards} boards made again alike.\n"
            )


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return prepare(tmp_path_factory.mktemp("prepared"))


@pytest.fixture
def n_kills(request: pytest.FixtureRequest) -> int:
    return int(request.config.getoption("--kills"))


@pytest.fixture
def tally(request: pytest.FixtureRequest, capsys: pytest.CaptureFixture[str]) -> Tally:
    return Tally(int(request.config.getoption("--kill-seed")), capsys)


@pytest.mark.timeout(14_400)
def test_evaluator_killed_at_random_moments_keeps_every_invariant(
    prepared: Path, tmp_path: Path, warm: Warm, n_kills: int, tally: Tally
) -> None:
    rng = random.Random(tally.seed)
    while tally.kills.total() < n_kills:
        folder = shutil.copytree(prepared, tmp_path / "copy")
        campaign = Campaign(folder, warm, rng, kills=tally.kills)
        seconds, n_statements = campaign.warm_up()
        wanted = min(tally.kills.total() + KILLS_OF_A_COPY, n_kills)
        while tally.kills.total() < wanted:
            fill_queue(campaign, rng.choice(OWNERS), 3)
            for _ in range(min(6, wanted - tally.kills.total())):
                where, death = draw_death(rng, seconds, n_statements)
                campaign.evaluate(where, **death)
        tally.close(campaign)
        shutil.rmtree(folder)
    tally.tell("Evaluator killed at random")
    assert (tally.kills.total(), tally.ends.total()) == (n_kills, tally.n_sent)


@pytest.mark.timeout(14_400)
def test_intake_killed_at_random_moments_loses_no_acknowledged_submission(
    prepared: Path, tmp_path: Path, warm: Warm, n_kills: int, tally: Tally
) -> None:
    """Senders without a response repeat their upload with the same key until they get one."""
    rng = random.Random(tally.seed)
    folder = shutil.copytree(prepared, tmp_path / "copy")
    campaign = Campaign(folder, warm, rng, kills=tally.kills)
    campaign.warm_up()
    whole = campaign.send(campaign.make_sends(3))
    wanted = max(20, n_kills // 10)
    unheard = campaign.make_sends(3)
    while tally.kills.total() < wanted:
        where, death = draw_death(rng, whole["seconds"], whole["statements"])
        campaign.send(unheard, where, **death)
        unheard = [one for one in unheard if one["key"] not in campaign.acknowledged]
        unheard += campaign.make_sends(3 - len(unheard))
    campaign.send(unheard)
    tally.close(campaign)
    tally.tell("Intake killed at random")
    assert len(campaign.acknowledged) == tally.ends.total() == tally.n_sent


@pytest.mark.parametrize("times", [1, 3])
@pytest.mark.parametrize("label", INTAKE_LABELS)
def test_intake_killed_at_a_label_accepts_an_upload_once_or_not_at_all(
    prepared: Path, tmp_path: Path, warm: Warm, label: str, times: int
) -> None:
    folder = shutil.copytree(prepared, tmp_path / "copy")
    campaign = Campaign(folder, warm, random.Random(0))
    sends = campaign.make_sends(2 + times)
    campaign.send(sends, label, label=label, times=times)
    assert campaign.kills == {label: 1}
    with invariants.open_rows(folder) as rows:
        (n_rows,) = rows.execute("select count(*) from submissions where source = 'submitted'").fetchone()
    n_before = 0 if label == "arriving" else times - 1
    assert len(campaign.acknowledged) == n_before
    assert n_rows == n_before + (label == "added")
    campaign.send(sends)
    assert campaign.drain() == {"scored": 2 + times}
    assert len(campaign.acknowledged) == 2 + times


def test_long_queue_is_drained_despite_kills_and_another_owner_waits_for_at_most_one_submission(
    prepared: Path, tmp_path: Path, warm: Warm, tally: Tally, soak: bool
) -> None:
    rng = random.Random(tally.seed)
    folder = shutil.copytree(prepared, tmp_path / "copy")
    campaign = Campaign(folder, warm, rng, kills=tally.kills)
    campaign.warm_up()
    n_queued = N_QUEUED_IN_SOAK if soak else N_QUEUED
    fill_queue(campaign, "ann", n_queued)
    n_known = len(campaign.acknowledged)
    for newcomer in ("bob", "eve"):
        for _ in range(8):
            campaign.evaluate("any moment", seconds=rng.uniform(0.1, 0.6))
        (one,) = campaign.make_sends(1, newcomer)
        campaign.send([one])
        campaign.evaluate("claimed", label="claimed", times=3)
        assert count_first_claims(folder, campaign.acknowledged[one["key"]][0], "ann") <= 1
    tally.close(campaign)
    tally.tell(f"{n_queued:,} queued")
    assert tally.ends.total() == tally.n_sent == n_known + 2 >= n_queued


def count_first_claims(folder: Path, submission: str, owner: str) -> int:
    """Return how many submissions of an owner were claimed for the first time while another submission waited."""
    query = """
        select count(distinct other.submission_id) from submission_events as other
        join submissions on submissions.id = other.submission_id join users on users.id = owner_id and users.name = ?1
        where other.text = 'Attempt 1 began.'
        and other.id > (select id from submission_events where submission_id = ?2 and to_state = 'queued')
        and other.id < (select min(id) from submission_events where submission_id = ?2 and to_state = 'running')
    """
    with invariants.open_rows(folder) as rows:
        (began,) = rows.execute(
            "select count(*) from submission_events where submission_id = ? and to_state = 'running'", (submission,)
        ).fetchone()
        assert began, "it has its turn at the third claim at the latest"
        (n,) = rows.execute(query, (owner, submission)).fetchone()
    return int(n)
