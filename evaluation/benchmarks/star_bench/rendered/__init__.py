"""Generated perception task of STAR-Bench: design, texts and audio.

Source: STAR-Bench, Table 3 and appendix B.2.1, with the sizes of `star_bench/design.py`: 951 items in ten balanced
designs, all drawn from a seed. Tones are in `tone_plan.py`, locations in rooms in `room_plan.py`, and rendering in
`stimuli.py`.
"""

from evaluation.benchmarks.star_bench.rendered.perception_questions import (
    RENDERER,
    Rendered,
    is_rendered,
    make_perception,
    render_sound,
)

__all__ = ["RENDERER", "Rendered", "is_rendered", "make_perception", "render_sound"]
