"""Case-folded model names, model descriptions per submission, encrypted outcomes, and the ranking rule of a board."""

import unicodedata
from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa
from alembic import op

revision: str = "0002"
down_revision: str | None = "0001"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None

_DESCRIBED: dict[str, Any] = {
    "organisation": sa.String(length=120),
    "kind": sa.String(length=40),
    "size_billions": sa.Float(),
    "open_weights": sa.Boolean(),
    "url": sa.String(length=500),
}


def upgrade() -> None:
    """Apply the migration."""
    _describe_models_on_submissions()
    _key_models_by_name()
    _forget_readable_outcomes()
    _withdraw_guesses_of_the_example()
    with op.batch_alter_table("boards", schema=None) as batch_op:
        # No rule equals the empty string, so an evaluator rebuilds every board when it starts.
        batch_op.add_column(sa.Column("rule", sa.String(length=440), nullable=False, server_default=""))
    with op.batch_alter_table("boards", schema=None) as batch_op:
        batch_op.alter_column("rule", server_default=None)


def downgrade() -> None:
    """Revert the migration."""
    with op.batch_alter_table("boards", schema=None) as batch_op:
        batch_op.drop_column("rule")
    with op.batch_alter_table("models", schema=None) as batch_op:
        for name, kind in _DESCRIBED.items():
            batch_op.add_column(sa.Column(name, kind, nullable=True))
    with op.batch_alter_table("submissions", schema=None) as batch_op:
        for name in _DESCRIBED:
            batch_op.drop_column(name)
    with op.batch_alter_table("models", schema=None) as batch_op:
        batch_op.drop_constraint(op.f("uq_models_name_key"), type_="unique")
        batch_op.drop_column("name_key")
        batch_op.create_unique_constraint(op.f("uq_models_name"), ["name"])


def _key_models_by_name() -> None:
    connection = op.get_bind()
    if "name_key" in {column["name"] for column in sa.inspect(connection).get_columns("models")}:
        return  # For a few days revision 0001 already had this column.
    op.add_column("models", sa.Column("name_key", sa.String(length=400), nullable=True))
    first_of: dict[str, int] = {}
    for model_id, name in connection.execute(sa.text("select id, name from models order by id")).all():
        key = " ".join(unicodedata.normalize("NFKC", name).casefold().split())
        first = first_of.setdefault(key, model_id)
        if first == model_id:
            connection.execute(sa.text("update models set name_key = :key where id = :id"), {"key": key, "id": first})
            continue
        ids = {"first": first, "other": model_id}
        connection.execute(sa.text("update submissions set model_id = :first where model_id = :other"), ids)
        connection.execute(sa.text("delete from models where id = :other"), ids)
    with op.batch_alter_table("models", schema=None) as batch_op:
        batch_op.alter_column("name_key", existing_type=sa.String(length=400), nullable=False)
        batch_op.drop_constraint(op.f("uq_models_name"), type_="unique")
        batch_op.create_unique_constraint(op.f("uq_models_name_key"), ["name_key"])


def _describe_models_on_submissions() -> None:
    for name, kind in _DESCRIBED.items():
        op.add_column("submissions", sa.Column(name, kind, nullable=True))
    # The fields of a model came from its first submitter: copy them to the model's first submission only.
    connection = op.get_bind()
    submissions = sa.table("submissions", *(sa.column(name) for name in ("id", "model_id", "created_at", *_DESCRIBED)))
    models = sa.table("models", *(sa.column(name) for name in ("id", *_DESCRIBED)))
    first_of: dict[int, str] = {}
    by_age = sa.select(submissions.c.id, submissions.c.model_id).order_by(submissions.c.created_at, submissions.c.id)
    for submission_id, model_id in connection.execute(by_age):
        first_of.setdefault(model_id, submission_id)
    for model_id, *values in connection.execute(sa.select(models)).all():
        first = submissions.update().where(submissions.c.id == first_of.get(model_id, ""))
        connection.execute(first.values(dict(zip(_DESCRIBED, values, strict=True))))
    with op.batch_alter_table("models", schema=None) as batch_op:
        for name in _DESCRIBED:
            batch_op.drop_column(name)


def _forget_readable_outcomes() -> None:
    """Delete unencrypted outcomes. Re-scoring the files creates encrypted ones."""
    if op.get_bind().dialect.name == "sqlite":
        op.execute("PRAGMA secure_delete = ON")  # Otherwise their bytes would stay in free pages of the file.
    op.execute("delete from outcomes")


def _withdraw_guesses_of_the_example() -> None:
    """Withdraw random baselines whose answers are in the question pack. Evaluators submit new ones."""
    op.execute(
        "insert into submission_events (submission_id, at, actor, from_state, to_state, text) "
        "select id, updated_at, 'earshot', state, 'withdrawn', 'Its guesses are public; others are made.' "
        "from submissions where source = 'random' and idempotency_key like 'chance/%' and state <> 'withdrawn'"
    )
    op.execute(
        "update submissions set state = 'withdrawn', idempotency_key = null "
        "where source = 'random' and idempotency_key like 'chance/%'"
    )
