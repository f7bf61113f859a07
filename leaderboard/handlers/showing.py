"""What several tabs show alike."""

from datetime import UTC, datetime

from db.records import UserRecord
from evaluation.benchmarks import get_benchmark
from leaderboard.markup import Markup
from leaderboard.services import Services
from leaderboard.submission_markup import render_status


def show_status(services: Services, submission_id: str, viewer: UserRecord) -> Markup:
    """Return where a submission stands.

    Raises:
        NotFoundError: There is none, or it is not the viewer's to see.
    """
    status = services.submissions.status(submission_id, viewer)
    benchmark = get_benchmark(status.submission.benchmark, status.submission.version)
    headline = benchmark.headline.key
    return render_status(status, headline, benchmark.chance.get(headline), datetime.now(UTC))
