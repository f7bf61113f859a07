"""Server that has something of every kind, and makes more on demand: targets for requests with real identifiers."""

import itertools
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from db.repositories import editions, submissions
from evaluation.packs import example_predictions
from tests.support.editions.edition_places import open_without_pack
from tests.support.hub.double import run_hub
from tests.support.samples.practice_packs import write_small_pack
from tests.support.samples.printed_rows import make_csv, make_line
from tests.support.servers.live_site import BENCHMARK, Site, add_row, rank, run_site

API = "/api/v1"
OWNER, STRANGER, MAINTAINER = "ada", "eve", "local"
REASON = {"reason": "A doubt."}
Names = dict[str, object]


class FurnishedSite:
    """A server with its users' tokens, and functions that make targets: each returns the names in an address."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.tokens = {name: site.token(name) for name in (OWNER, STRANGER, MAINTAINER)}
        self._numbers = itertools.count()
        self._key = BENCHMARK.make_key("test")
        self.shared: dict[str, Names] = {}

    def call(self, method: str, address: str, sender: str | None = None, **more: Any) -> Any:
        """Send a request that must succeed, and return its answer."""
        headers = {"Authorization": f"Bearer {self.tokens[sender]}"} if sender else {}
        response = self.site.client.request(method, address, headers=headers, **more)
        assert response.is_success, (address, response.text)
        return response.json()

    def make_benchmark(self) -> Names:
        return {"benchmark_id": BENCHMARK.id}

    def make_public_row(self) -> Names:
        return {"submission_id": self._add_row("public")}

    def make_private_row(self) -> Names:
        return {"submission_id": self._add_row("private")}

    def make_hidden_row(self) -> Names:
        names = self.make_public_row()
        self.call("post", f"{API}/admin/submissions/{names['submission_id']}/hide", MAINTAINER, json=REASON)
        return names

    def make_failed_submission(self) -> Names:
        return self._change(
            self.make_private_row(), state="failed", retryable=True, reason="A full disk.", fault="ours"
        )

    def make_held_submission(self) -> Names:
        return self._change(self.make_private_row(), state="awaiting-judge", lane="held")

    def make_endpoint(self) -> Names:
        """Submit an endpoint, which waits for approval."""
        base_url = f"https://models{next(self._numbers)}.example.com/v1"
        body = {"benchmark": BENCHMARK.id, "model": {"name": "A model"}, "base_url": base_url, "model_name": "m"}
        made = self.call("post", f"{API}/endpoint-submissions", OWNER, json=body | {"api_key": "sk-0123"})
        return {"submission_id": made["id"]}

    def make_open_edition(self) -> Names:
        """Open an edition with a file, as an evaluator does."""
        made = self.call("post", f"{API}/benchmarks/{BENCHMARK.id}/editions", OWNER)
        content = open_without_pack(self.site.services.database, BENCHMARK, self._key, made["id"])
        lines = "".join(json.dumps(line) + "\n" for line in example_predictions(content))
        data = {"benchmark": BENCHMARK.id, "model": '{"name": "A fourth"}'}
        files = {"file": ("p.jsonl", lines.encode())}
        sent = self.call("post", f"{API}/submissions", OWNER, files=files, data=data)
        return {"edition_id": made["id"], "submission_id": sent["id"]}

    def make_closed_edition(self) -> Names:
        """Close an edition and reveal its seed, as an evaluator does."""
        names = self.make_open_edition()
        self.call("post", f"{API}/editions/{names['edition_id']}/close", OWNER)
        seed = BENCHMARK.make_edition_key(self._key, str(names["edition_id"])).seed
        with self.site.services.database.write() as transaction:
            submission_id = str(names["submission_id"])
            submissions.change_state(transaction, submission_id, ["queued"], datetime.now(UTC), state="scored")
            assert editions.reveal_seed(transaction, str(names["edition_id"]), seed, "digest")
        return {"edition_id": names["edition_id"], "name": "none.wav"}

    def make_token(self) -> Names:
        return {"token_id": self.call("post", f"{API}/tokens", OWNER, json={})["id"]}

    def make_session(self) -> Names:
        """Sign the owner in, and forget the cookie."""
        self.call("post", "/auth/local", json={"name": OWNER})
        self.site.client.cookies.clear()
        return {"session_id": self.call("get", f"{API}/me/sessions", OWNER)["sessions"][0]["id"]}

    def make_reported_row(self) -> Names:
        file = make_csv(make_line(model=f"New-{next(self._numbers)}B"))
        made = self.call("post", f"{API}/admin/reported-rows", MAINTAINER, files={"file": ("r", file)}, data=REASON)
        return {"row_id": made["rows"][0]["id"]}

    def make_removed_row(self) -> Names:
        names = self.make_reported_row()
        self.call("post", f"{API}/admin/reported-rows/{names['row_id']}/remove", MAINTAINER, json=REASON)
        return names

    def make_reevaluation(self) -> Names:
        body = REASON | {"benchmark": BENCHMARK.id, "dry_run": True}
        return {"reevaluation_id": self.call("post", f"{API}/admin/reevaluations", MAINTAINER, json=body)["id"]}

    def make_model(self) -> Names:
        """Return a model with a public row on a ranked board."""
        self.make_public_row()
        rank(self.site.services)
        return {"model_id": self.call("get", f"{API}/models")["models"][0]["id"]}

    def make_hub_model(self) -> Names:
        return {"organisation": "lab", "repository": "listener-7b"}

    def make_other_benchmark(self) -> Names:
        """Return a benchmark whose questions cannot be drawn again."""
        return {"benchmark_id": "mdar"}

    def make_listening_result(self) -> Names:
        """Answer a round of the listening test."""
        asked = self.call("get", f"{API}/listening/{BENCHMARK.id}")
        answers = {one["id"]: True if one["answer_format"] == "boolean" else 0 for one in asked["questions"]}
        body = {"n": 10, "seed": 0, "answers": answers, "seconds": 100.0, "consent": True}
        made = self.call("post", f"{API}/listening/{BENCHMARK.id}/results", json=body)
        return {"benchmark_id": BENCHMARK.id, "result_id": made["kept"]["id"], "name": "none.wav"}

    def _add_row(self, visibility: str) -> str:
        name = f"Model {next(self._numbers)}"
        return add_row(self.site.services, name, 0.5, owner=OWNER, visibility=visibility)

    def _change(self, names: Names, **values: Any) -> Names:
        with self.site.services.database.write() as transaction:
            now = datetime.now(UTC)
            assert submissions.change_state(transaction, str(names["submission_id"]), ["scored"], now, **values)
        return names


Make = Callable[[FurnishedSite], Names]


def share(make: Make) -> Make:
    """Return a function that makes a target once, for requests that leave it as it is."""

    def find(site: FurnishedSite) -> Names:
        if make.__name__ not in site.shared:
            site.shared[make.__name__] = make(site)
        return site.shared[make.__name__]

    return find


@contextmanager
def run_furnished_site(folder: Path, **settings: Any) -> Iterator[FurnishedSite]:
    """Run a server whose limits are off."""
    write_small_pack(BENCHMARK, folder / "packs")
    unlimited = {"open_editions": 0, "editions_per_day": 0} | settings
    with run_hub() as hub, run_site(folder, HF_ENDPOINT=hub.url, **unlimited) as site:
        yield FurnishedSite(site)
