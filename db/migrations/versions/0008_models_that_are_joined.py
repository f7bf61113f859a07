"""Model merges and maintainers' descriptions, public model IDs, names as submitted, and several links per model."""

import secrets
from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0008"
down_revision: str | None = "0007"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    """Apply the migration."""
    _extend_models()
    _keep_names_as_sent()
    with op.batch_alter_table("boards", schema=None) as batch_op:
        batch_op.add_column(sa.Column("relabelled", sa.Integer(), nullable=False, server_default="0"))
    with op.batch_alter_table("boards", schema=None) as batch_op:
        batch_op.alter_column("relabelled", server_default=None)


def downgrade() -> None:
    """Revert the migration. Merges and maintainers' descriptions are lost; descriptions of submissions stay."""
    with op.batch_alter_table("boards", schema=None) as batch_op:
        batch_op.drop_column("relabelled")
    with op.batch_alter_table("submissions", schema=None) as batch_op:
        batch_op.drop_column("links")
        batch_op.drop_column("model_name")
    with op.batch_alter_table("models", schema=None) as batch_op:
        batch_op.drop_index(op.f("ix_models_shown_as_id"))
        batch_op.drop_constraint(op.f("fk_models_shown_as_id"), type_="foreignkey")
        batch_op.drop_constraint(op.f("fk_models_joined_to_id"), type_="foreignkey")
        batch_op.drop_constraint(op.f("uq_models_public_id"), type_="unique")
        for name in ("links", "open_weights", "size_billions", "kind", "organisation"):
            batch_op.drop_column(name)
        for name in ("shown_as_id", "joined_to_id", "public_id"):
            batch_op.drop_column(name)


def _extend_models() -> None:
    op.add_column("models", sa.Column("public_id", sa.String(length=40), nullable=True))
    connection = op.get_bind()
    for (model_id,) in connection.execute(sa.text("select id from models order by id")).all():
        values = {"id": model_id, "public_id": f"m-{secrets.token_hex(8)}"}
        connection.execute(sa.text("update models set public_id = :public_id where id = :id"), values)
    with op.batch_alter_table("models", schema=None) as batch_op:
        batch_op.alter_column("public_id", existing_type=sa.String(length=40), nullable=False)
        batch_op.add_column(sa.Column("joined_to_id", sa.Integer(), nullable=True))
        batch_op.add_column(sa.Column("shown_as_id", sa.Integer(), nullable=True))
        batch_op.add_column(sa.Column("organisation", sa.String(length=120), nullable=True))
        batch_op.add_column(sa.Column("kind", sa.String(length=40), nullable=True))
        batch_op.add_column(sa.Column("size_billions", sa.Float(), nullable=True))
        batch_op.add_column(sa.Column("open_weights", sa.Boolean(), nullable=True))
        batch_op.add_column(sa.Column("links", sa.JSON(none_as_null=True), nullable=True))
        batch_op.create_unique_constraint(op.f("uq_models_public_id"), ["public_id"])
        batch_op.create_foreign_key(op.f("fk_models_joined_to_id"), "models", ["joined_to_id"], ["id"])
        batch_op.create_foreign_key(op.f("fk_models_shown_as_id"), "models", ["shown_as_id"], ["id"])
        batch_op.create_index(op.f("ix_models_shown_as_id"), ["shown_as_id"])


def _keep_names_as_sent() -> None:
    """Copy each model's name to its submissions: only the first spelling of a name was stored until now."""
    op.add_column("submissions", sa.Column("links", sa.JSON(none_as_null=True), nullable=True))
    op.add_column("submissions", sa.Column("model_name", sa.String(length=120), nullable=True))
    # A submission without a model gets past this; the check of all references rejects it.
    first = "(select name from models where models.id = submissions.model_id)"
    op.execute(f"update submissions set model_name = coalesce({first}, '')")  # noqa: S608 - words of ours
    with op.batch_alter_table("submissions", schema=None) as batch_op:
        batch_op.alter_column("model_name", existing_type=sa.String(length=120), nullable=False)
