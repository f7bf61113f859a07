"""What happened to each item of a submission, as it goes into the database and comes out: packed, padded and sealed.

Whether an answer was right tells what the right answer is. The web process reads the database, so what is stored
there can be read with the answer key's seed only, and its length tells nothing either.
"""

from db.records import SealedOutcomes
from evaluation.answer_keys import AnswerKey
from evaluation.types import Outcomes
from submissions.packing import PackedOutcomes, UnpackedOutcomes, pack_outcomes, unpack_outcomes
from submissions.sealing import SealError, seal, unseal

_LENGTH_BYTES = 4
# Lengths are multiples of this many bits a run of an item. Right-or-wrong outcomes of up to four options take less than
# one such step however they fall; graded ones take up to three.
_STEP_BITS = 6


def seal_outcomes(key: AnswerKey, evaluation_id: int, outcomes: Outcomes) -> SealedOutcomes:
    """Return the outcomes of an evaluation as only the holder of the key can read them."""
    packed = pack_outcomes(outcomes)
    plain = len(packed.data).to_bytes(_LENGTH_BYTES, "big") + packed.data
    step = max(64, -(-packed.n_items * packed.n_runs * _STEP_BITS // 8))
    padded = plain.ljust(-(-len(plain) // step) * step, b"\0")
    shape = packed.n_items, packed.n_runs
    return SealedOutcomes(*shape, seal(key.seed, _purpose(evaluation_id, shape), padded))


def unseal_outcomes(key: AnswerKey, evaluation_id: int, sealed: SealedOutcomes) -> UnpackedOutcomes:
    """Return outcomes in the order of the benchmark's items.

    Raises:
        SealError: The key is another one, or the stored bytes belong elsewhere or were altered.
    """
    shape = sealed.n_items, sealed.n_runs
    try:
        plain = unseal(key.seed, _purpose(evaluation_id, shape), sealed.data)
    except SealError:
        raise SealError(
            f"The outcomes of evaluation {evaluation_id} cannot be read with the key {key.digest[:8]} of "
            f"{key.benchmark} {key.version}: they were sealed under another one, or were altered. Score it again."
        ) from None
    end = _LENGTH_BYTES + int.from_bytes(plain[:_LENGTH_BYTES], "big")
    return unpack_outcomes(PackedOutcomes(*shape, plain[_LENGTH_BYTES:end]))


def _purpose(evaluation_id: int, shape: tuple[int, int]) -> str:
    return f"outcomes|{evaluation_id}|{shape[0]}x{shape[1]}"
