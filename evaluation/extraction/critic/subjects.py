"""Subjects of a critic's sentences: from a match of the tokenizer to a code and the numbers of its steps."""

import re

from evaluation.extraction.critic.numbers import list_numbers, read_number

_PAIR = 2


def _side_numbers(match: re.Match[str]) -> tuple[int, ...]:
    if match["several"]:
        side, count = match["side"], read_number(match["count"])
    elif match["zcount"]:
        side, count = match["zside"], read_number(match["zcount"])
    else:
        side, count = "last", 1
    return tuple(range(1, count + 1)) if side in {"first", "前", "前面", "头"} else tuple(range(-count, 0))


def _middle_numbers(match: re.Match[str], n_steps: int) -> tuple[int, ...]:
    """The steps in the middle: as many as are counted, one, or all but the first and the last."""
    counted = match["mcount"] or match["zmcount"]
    is_one = match["middle"].endswith(("step", "one"))
    count = read_number(counted) if counted else 1 if is_one else n_steps - 2
    before = (n_steps - count) // 2
    is_centred = count > 0 and before > 0 and before * 2 + count == n_steps
    return tuple(range(before + 1, before + count + 1)) if is_centred else (n_steps + 1,)


def _span_numbers(match: re.Match[str], n_steps: int) -> tuple[int, ...]:
    """The steps up to a step, before it, after it, or from it on."""
    edge = read_number(match["edge"] or match["edge2"] or match["zedge"])
    edge = n_steps + 1 + edge if edge < 0 else edge
    side = match["side2"] or match["zside2"]
    if match["upto"]:
        return tuple(range(1, edge + 1))
    if match["since"] or side in {"开始", "起"}:
        return tuple(range(edge, n_steps + 1))
    earlier = side in {"before", "preceding", "prior to", "之前", "以前"}
    return tuple(range(1, edge) if earlier else range(edge + 1, n_steps + 1))


def _speaks_of_all(match: re.Match[str]) -> bool:
    """Whether "三个步骤" means all three: "三个步骤都正确" does, "三个步骤错误" only counts them."""
    follower = match.string[match.end() : match.end() + 3]
    return (
        match["chinese_all"][0] in "全所这以上整"
        or re.match(" ?(?:的描述|推理)?,?[都均全皆没无]", follower) is not None
    )


def read_subject(match: re.Match[str], n_steps: int) -> tuple[str, tuple[int, ...]]:
    """Return the code of a subject, and the steps that it names: below zero from the end."""
    whole = match[match.lastgroup or 0]
    if match["several"] or match["chinese_side"]:
        return "S", _side_numbers(match)
    if match["rest"] or match["chinese_rest"]:
        return "R", ()
    if match["revision"]:
        return "M", ()
    if match["until"]:
        edge = read_number(match["edge3"] or match["edge4"] or match["zedge3"] or match["zedge4"] or "last")
        return "o", (n_steps + 1 + edge if edge < 0 else edge,)
    if match["behind"]:
        return "S", tuple(range(read_number(match["edge5"]) + 1, n_steps + 1))
    if match["parity"]:
        return "S", tuple(range(2 if "even" in whole else 1, n_steps + 1, 2))
    if match["middle"]:
        return "S", _middle_numbers(match, n_steps)
    if match["none"] or match["none_called"]:
        return "Z", ()
    if match["all"]:
        if whole.startswith("both") and n_steps != _PAIR:
            return "p", ()  # Two of more steps.
        counts = [number for number in list_numbers(whole) if number > 1]
        return ("A", ()) if not counts or counts == [n_steps] else ("S", tuple(range(1, n_steps + 2)))
    if match["chinese_all"]:
        return ("A", ()) if read_number(match["zall"]) == n_steps and _speaks_of_all(match) else ("p", ())
    if match["chinese_step"] and "步" not in whole:
        is_first = whole in {"第一", "第1"} and match.string[match.end() : match.end() + 1] in {"个", "处"}
        return "i" if is_first else "w", ()
    if match["span"] or match["chinese_span"]:
        return "S", _span_numbers(match, n_steps)
    if match["ordinal"]:
        whole = re.sub(" ones?(?![a-z])| of the .*", "", whole)  # "The fourth one" is no list of two numbers.
    return "m" if match["number"] or match["heading"] else "S", list_numbers(whole)
