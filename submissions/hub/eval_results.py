"""Results as `.eval_results/*.yaml` in a model repository on the Hub: the headline score of one submission."""

from datetime import datetime
from typing import Any

import huggingface_hub
import yaml

from submissions.client import ClientError, Json


def build_entry(
    status: Json, headline_key: str, origin: str, dataset_id: str | None = None
) -> "huggingface_hub.EvalResultEntry":
    """Return the headline score of a submission as an entry.

    Args:
        status: The API's answer about the submission.
        headline_key: The benchmark's headline score, `<slice>|<metric>`; no other is proposed.
        origin: Address of the server, for the link to the result.
        dataset_id: Dataset repository of the benchmark; by default ours.

    Raises:
        ClientError: The submission is not scored, not public, or has no headline score.
    """
    if status.get("state") != "scored" or status.get("visibility") != "public":
        raise ClientError("Only scored, published results can be proposed. Publish the submission first.")
    headline = next((one["headline"] for one in status.get("evaluations") or () if one["current"]), None)
    if headline is None or headline["figure"] != headline_key or not isinstance(headline["value"], int | float):
        raise ClientError("The submission has no headline score, so there is nothing to propose.")
    part, _, metric = str(headline["figure"]).partition("|")
    return huggingface_hub.EvalResultEntry(
        dataset_id=dataset_id or f"earshot/{status['benchmark']}",
        task_id=f"{part}/{metric}".replace("/", "."),
        value=round(100 * float(headline["value"]), 2),
        date=_read_date(status.get("created_at")),
        source_url=f"{origin.rstrip('/')}/api/v1/submissions/{status['id']}",
        source_name=f"Earshot: {status['benchmark']} {status['version']}",
        notes=f"setting {status['setting']}; signature {status.get('signature')}",
    )


def write_yaml(entry: "huggingface_hub.EvalResultEntry") -> str:
    """Return the file with an entry."""
    entries = huggingface_hub.eval_result_entries_to_yaml([entry])
    text: str = yaml.safe_dump(entries, sort_keys=False, allow_unicode=True, width=1_000)
    return text


def name_file(status: Json) -> str:
    """Return the path of the file in the model repository."""
    return f".eval_results/earshot-{status['benchmark']}.yaml"


def _read_date(value: Any) -> str | None:
    try:
        return f"{datetime.fromisoformat(str(value)):%Y-%m-%dT%H:%M:%SZ}"
    except ValueError:
        return None
