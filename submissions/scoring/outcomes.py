"""Item-level outcomes of a submission for the database: packed, padded and sealed.

Whether an answer is correct reveals the correct answer. The web process can read the database, so stored outcomes can
be read only with the answer key's seed, and their length reveals nothing.
"""

from db.records import SealedOutcomes
from evaluation.answer_keys import AnswerKey
from evaluation.types import Outcomes
from submissions.keys.sealing import SealError, seal, unseal
from submissions.scoring.packing import PackedOutcomes, UnpackedOutcomes, pack_outcomes, unpack_outcomes

_LENGTH_BYTES = 4
# Bits for each run of an item. Right-or-wrong outcomes of up to four options take fewer than 6 bits in any case;
# everything else gets its maximum.
_PLAIN_BITS = 6
_WIDEST_BITS = 8 * 6
_STEP_BITS = 8 * 3
_SPARE_BYTES = 256


def seal_outcomes(key: AnswerKey, evaluation_id: int, outcomes: Outcomes) -> SealedOutcomes:
    """Seal the outcomes of an evaluation for holders of the key."""
    packed = pack_outcomes(outcomes)
    plain = len(packed.data).to_bytes(_LENGTH_BYTES, "big") + packed.data
    padded = plain.ljust(_room(outcomes, len(plain)), b"\0")
    shape = packed.n_items, packed.n_runs
    return SealedOutcomes(*shape, seal(key.seed, _purpose(evaluation_id, shape), padded))


def unseal_outcomes(key: AnswerKey, evaluation_id: int, sealed: SealedOutcomes) -> UnpackedOutcomes:
    """Return outcomes in the order of the benchmark's items.

    Raises:
        SealError: The key is another one, or the stored bytes belong elsewhere or have been changed.
    """
    try:
        return unseal_with_seed(key.seed, evaluation_id, sealed)
    except SealError:
        raise SealError(
            f"The outcomes of evaluation {evaluation_id} do not match the key {key.digest[:8]} of {key.benchmark} "
            f"{key.version}: they were encrypted under another key, or were modified. Re-score it."
        ) from None


def unseal_with_seed(seed: str, evaluation_id: int, sealed: SealedOutcomes) -> UnpackedOutcomes:
    """Return outcomes like `unseal_outcomes`, without the answers of the key.

    Raises:
        SealError: See `unseal_outcomes`; the message does not name the key.
    """
    shape = sealed.n_items, sealed.n_runs
    plain = unseal(seed, _purpose(evaluation_id, shape), sealed.data)
    end = _LENGTH_BYTES + int.from_bytes(plain[:_LENGTH_BYTES], "big")
    return unpack_outcomes(PackedOutcomes(*shape, plain[_LENGTH_BYTES:end]))


def _room(outcomes: Outcomes, n_bytes: int) -> int:
    """Return the length that outcomes are padded to: the same for all possible outcomes of these items."""
    n_steps = 0 if outcomes.step_verdicts is None else outcomes.step_verdicts.size
    bits = _PLAIN_BITS if n_steps == 0 else _WIDEST_BITS
    room = _SPARE_BYTES + (bits * outcomes.choices.size + _STEP_BITS * n_steps) // 8
    widest = _SPARE_BYTES + (_WIDEST_BITS * outcomes.choices.size + _STEP_BITS * n_steps) // 8
    return room if n_bytes <= room else max(widest, n_bytes)


def _purpose(evaluation_id: int, shape: tuple[int, int]) -> str:
    return f"outcomes|{evaluation_id}|{shape[0]}x{shape[1]}"
