"""Kill of an evaluator during judging: almost no judge call is repeated, and the judge's key is in no file."""

from contextlib import closing
from pathlib import Path

from evaluation.judge.judge_client import ClientOptions
from submissions.judging.connecting import connect_to
from tests.support.judges.judge_server import JudgeServer, serve_judge
from tests.support.judges.judging_installation import JudgingInstallation, play
from tests.support.servers.evaluators import run_evaluators
from tests.support.servers.server import wait_for
from tests.support.servers.warm_processes import WarmPython

KEY = "canary-of-the-judge-5d1c77a0"
REPEATS = 10
CONCURRENCY = 2


def settings_of(url: str) -> dict[str, str]:
    return {
        "EARSHOT_JUDGE_BASE_URL": url,
        "EARSHOT_JUDGE_MODEL": "scripted",
        "EARSHOT_JUDGE_API_KEY": KEY,
        "EARSHOT_JUDGE_REPEATS": str(REPEATS),
        "EARSHOT_JUDGE_CONCURRENCY": str(CONCURRENCY),
        "OPENBLAS_NUM_THREADS": "1",
    }


def test_judging_resumes_after_kills_with_almost_no_repeated_calls(
    ranked: Path, tmp_path: Path, warm_python: WarmPython
) -> None:
    # Past its first start, so that the evaluator has nothing else to do.
    place = JudgingInstallation(ranked, tmp_path / "data")
    with closing(place.database), serve_judge(JudgeServer(play(place.mdar_key))) as judge:
        sent = place.send(place.half())
        arguments, settings = ("--no-packs", "-v"), settings_of(judge.url)
        with run_evaluators(place.folder, 1, settings, arguments, warm_python) as (worker,):
            wait_for(lambda: len(judge.requests) >= 60, "judging")
            worker.kill()
        n_before = len(judge.requests)
        wait_for(place.queue.requeue_lost, "the end of the killed evaluator")
        options = ClientOptions(judge.url, "scripted", KEY, CONCURRENCY)
        assert place.judge_over_connection(connect_to(options), repeats=REPEATS).run_next()
        assert place.read_status(sent).submission.state == "scored"
        n_needed = place.query("select count(*) from judgements")[0][0]
        assert 60 <= n_before < n_needed, "it was killed at work"
        assert len(judge.requests) <= 1.02 * n_needed, (len(judge.requests), n_needed)
        assert 0 <= place.calls_today() - len(judge.requests) <= CONCURRENCY, "a call counts before it is made"
        assert {header["authorization"] for header in judge.headers} == {f"Bearer {KEY}"}
        place.database.engine.dispose()
        files = [path for path in place.folder.rglob("*") if path.is_file()]
        assert {"earshot.db", "worker.log"} <= {path.name for path in files}
        for path in files:
            assert KEY.encode() not in path.read_bytes(), path
        log = (place.folder / "worker.log").read_text()
        assert "Traceback" not in log, log
