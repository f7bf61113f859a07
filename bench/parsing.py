"""`python -m bench.parsing`: how often the parsers agree with a careful reader, for each set of answers."""

from tests.support.samples.read_answers import SETS, compare

_TITLES = {"choice": "single choice", "choices": "multiple answers", "boolean": "true/false", "steps": "step verdicts"}


def main() -> None:
    """Print one row per set, followed by the answers that differ."""
    print(f"{'set':<18} {'answers':>8} {'as expected':>12} {'invented':>9} {'misread':>8} {'missed':>7}")
    differing = []
    for name in SETS:
        rates = compare(name)
        counts = f"{len(rates.invented):>9} {len(rates.misread):>8} {len(rates.missed):>7}"
        print(f"{_TITLES[name]:<18} {rates.n:>8} {rates.agreement:>12.1%} {counts}")
        differing += [(name, *pair) for pair in (*rates.invented, *rates.misread, *rates.missed)]
    for name, answer, parsed in differing:
        print(f"{name}: {answer.response!r}: expected {answer.expected!r}, parsed {parsed!r}")


if __name__ == "__main__":
    main()
