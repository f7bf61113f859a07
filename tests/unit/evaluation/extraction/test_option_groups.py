"""Answers that judge several options at once, in phrases, in groups or by elimination."""

from collections.abc import Sequence

import pytest

from evaluation.extraction import read_choices

QUARREL = (
    "the man leaves the house in anger", "two people argue about money", "a child is hiding upstairs",
    "the phone call ends the quarrel",
)  # fmt: skip
CALLED = (*QUARREL, "the neighbours call the police")
CHINESE = ("男人生气地离开了家", "两个人为钱争吵", "一个孩子躲在楼上", "电话结束了争吵")
CHINESE_CALLED = (*CHINESE, "邻居报了警")
SOUNDS = ("Rain", "Footsteps", "A crying baby", "A train horn", "Thunder", "A church bell")


def read_letters(response: str, options: Sequence[str]) -> str:
    return "".join(chr(65 + place) for place in sorted(read_choices(response, options).indices or ()))


def test_read_choices_reads_english_groups(subtests: pytest.Subtests) -> None:
    rows = [
        ("All of them except D can be inferred.", "ABC"),
        ("All except B can be deduced from the audio.", "ACD"),
        ("Everything but C can be concluded.", "ABD"),
        ("All options but A follow from the recordings.", "BCD"),
        ("All are correct, except C.", "ABD"),
        ("All of the options, with the exception of A, can be inferred.", "BCD"),
        ("None except B can be inferred.", "B"),
        ("None of them can be inferred except B.", "B"),
        ("All of the statements can be inferred, apart from D.", "ABC"),
        ("All but A are reasonable.", "BCD"),
        ("All except C are unreasonable.", "C"),
        ("Apart from D, all can be inferred.", "ABC"),
        ("Every option other than B is reasonable.", "ACD"),
        ("Options A and C are reasonable. Option B goes too far, and option D contradicts her friendly tone.", "AC"),
        ("A and B are reasonable. C is pure speculation and D is not mentioned.", "AB"),
        ("A and D hold up. B is far-fetched, C has no basis in the audio.", "AD"),
        ("B and C can be inferred, whereas A is speculative and D is never mentioned.", "BC"),
        ("A and C can be inferred. B overstates the conflict, and D is the opposite of what is heard.", "AC"),
        ("Statement B goes too far; statements A and C are well supported; statement D lacks evidence.", "AC"),
        ("Option A is reasonable. Option B is a stretch. Option C is reasonable. Option D goes too far.", "AC"),
        (
            "Option B overinterprets the scene, and option D is at odds with the tone. Options A and C are reasonable.",
            "AC",
        ),
        (
            "Only A is a reasonable inference. B says they argue, but they don't; C isn't mentioned; D is wrong.",
            "A",
        ),
        ("Only A and D can be inferred. B is contradicted by the dialogue and C is never mentioned.", "AD"),
        ("All of them except D. The call does not end anything.", "ABC"),
        ("Everything but C. Nobody hides.", "ABD"),
        ("All of the above except A, because he stays.", "BCD"),
        ("All except B. A, C and D are what is told.", "ACD"),
        ("I choose all options except B.", "ACD"),
        ("I'd select everything but D. The quarrel goes on.", "ABC"),
        ("Answer: 1, 3 and 4", "ACD"),
        ("The answers are 2 and 4.", "BD"),
        ("Answer: 1, 2, 9", ""),
        ("1 and 3", ""),
        ("C and D\n\nC and D\n\nC and D\n\nC and", "CD"),
        ("A, B and D\nA, B and D\nA, B and", "ABD"),
        ("Answer: AB\nAnswer: AB\nAnswer:", "AB"),
        ("Let me go through them. A: the man slams the door, so this seems reasonable. B: the two", ""),
        ("A: supported, since he shouts. B: also supported. C: the child", ""),
        ("A is correct because he slams the door. B is correct as they mention a loan. C is", ""),
        ("Option A seems supported. Option B is not. Option C: there is a", ""),
        ("A and C are both well supported by the recordings, whereas B and D are not.", "AC"),
        ("B isn't supported by anything in the audio, nor is D. That leaves A and C.", "AC"),
        ("I'd go with A and D. B sounds plausible at first, but no money is ever mentioned. C has no evidence.", "AD"),
        ("The statements that can reasonably be inferred are A, B and D.", "ABD"),
        ("What can be inferred: A and B. What can't: C and D.", "AB"),
        ("Supported: A, B\nNot supported: C, D", "AB"),
        (
            "A. Supported – a door slams.\nB. Not supported – no loan.\nC. Supported – steps.\nD. Not supported.",
            "AC",
        ),
        ("A – yes\nB – no\nC – yes\nD – no", "AC"),
        ("A (yes), B (no), C (yes), D (no)", "AC"),
        ("The first two statements are reasonable, the others aren't.", "AB"),
        ("Statements 1 and 3 can be inferred; 2 and 4 cannot.", "AC"),
        ("C is the only one I'd leave out.", "ABD"),
        ("I'd select everything except C.", "ABD"),
        ("Everything but B.", "ACD"),
        ("All but D.", "ABC"),
        ("All of the above except C", "ABD"),
        ("A, B, and D, but not C.", "ABD"),
        ("Not C; the rest hold.", "ABD"),
        ("B is a misreading of the dialogue and D contradicts the ending, so A and C remain.", "AC"),
        ("A, since he slams the door; C, since there are footsteps upstairs. B and D are unfounded.", "AC"),
        (
            "My answer is A and C, because B is never stated and D goes beyond the recording.",
            "AC",
        ),
        ("D goes beyond what we hear, B is an assumption. A and C are what the audio supports.", "AC"),
        ("The audio supports A and C. It doesn't support B or D.", "AC"),
        ("The audio supports A and C but contradicts B and D.", "AC"),
        ("A and B are consistent with both clips, C is not.", "AB"),
        ("Reasonable: A, B, C. Unreasonable: D.", "ABC"),
        ("**Reasonable inferences:** A, B\n**Unreasonable:** C, D", "AB"),
        ("The correct options are A, B (they argue about a loan) and D (the phone rings).", "ABD"),
        ("Correct inferences: A (door), C (footsteps). Incorrect: B (no money), D (no phone).", "AC"),
        ("Options B, C and D. Option A is wrong because he isn't angry.", "BCD"),
        ("I think it's A, B and perhaps D.", ""),
        ("A or B.", ""),
        ("A and B. The child's crying remains.", "AB"),
        ("None of the statements can be inferred.", ""),
        ("A and C. (B is wrong, D is wrong.)", "AC"),
        ("A, C.\n\nExplanation: B is not mentioned; D is the opposite of what happens.", "AC"),
        ("Both B and C can be inferred; neither A nor D can.", "BC"),
        ("Neither B nor D is supported, but A and C are.", "AC"),
        ("It can be inferred that the man leaves the house in anger and that two people argue about money.", "AB"),
        ("We can infer that two people argue about money. We cannot infer that a child is hiding upstairs.", "B"),
        ("There is no evidence for C or D. A and B are right.", "AB"),
        ("C and D have no support in the audio; A and B do.", "AB"),
        ("Three of the four are right: A, B and D.", "ABD"),
        ("Two statements are reasonable: A and D.", "AD"),
        ("A✓ B✗ C✓ D✗", "AC"),
        ("A=1, B=0, C=1, D=0", "AC"),
        ("A: reasonable\nB: unreasonable\nC: reasonable\nD: unreasonable", "AC"),
        ("A: can be inferred\nB: cannot be inferred\nC: can be inferred\nD: cannot be inferred", "AC"),
        ("A: likely\nB: unlikely\nC: likely\nD: unlikely", "AC"),
        ("A is consistent with the audio. B is inconsistent. C is consistent. D is inconsistent.", "AC"),
    ]
    for response, letters in rows:
        with subtests.test(response):
            assert read_letters(response, QUARREL) == letters


def test_read_choices_reads_groups_of_five(subtests: pytest.Subtests) -> None:
    rows = [
        (
            "I would rule out B (no money is mentioned) and D (mere guesswork). The remaining three are all supported.",
            "ACE",
        ),
        ("I'd exclude A (no one leaves) and C (there's no child). The other three are supported.", "BDE"),
        ("We can eliminate B (nothing about money), D (no phone) and E (no police). The other two hold.", "AC"),
        ("B (no money) and D (no phone call) can be ruled out. The rest are fine.", "ACE"),
        ("Not supported: B (no money), D (no phone). The rest can be inferred.", "ACE"),
    ]
    for response, letters in rows:
        with subtests.test(response):
            assert read_letters(response, CALLED) == letters


def test_read_choices_reads_chinese_groups(subtests: pytest.Subtests) -> None:
    rows = [
        ("全部，除了C。", "ABD"),
        ("全选，除了B以外。", "ACD"),
        ("全部正确，除了C。", "ABD"),
        ("都对，除了B", "ACD"),
        ("所有选项都成立，除了A和D。", "BC"),
        ("全对，只有C不对。", "ABD"),
        ("除了D都对", "ABC"),
        ("都可以推断出来，除了D。", "ABC"),
        ("以上都对，C除外。", "ABD"),
        ("除C外均可推断。", "ABD"),
        ("全部都能从音频推断出来，但C除外", "ABD"),
        ("A、B、C、D全选", "ABCD"),
        ("A、B、D全选", "ABD"),
        ("A和C都选", "AC"),
        ("ABD全选。", "ABD"),
        ("A、C全对", "AC"),
        ("A、B、D全部选择", "ABD"),
        ("A，B，D均选", "ABD"),
        ("A、C全都选", "AC"),
        ("全选", "ABCD"),
        ("ABCD全对", "ABCD"),
        ("A、B全部正确", "AB"),
        ("A、C、D全都合理", "ACD"),
        ("C项与音频中压抑的配乐不符，可以排除，其余三项均可推断出来。", "ABD"),
        ("B项与音频不符，其余可以推断。", "ACD"),
        ("A没有依据，其他三项都能从音频中推断出来。", "BCD"),
        ("D不成立，其余各项都能得到支持。", "ABC"),
        ("A可以排除，其他都能听出来。", "BCD"),
        ("B、C无法推断，其余两项可以推断。", "AD"),
        ("C与音频矛盾，不选，其余都选。", "ABD"),
        ("只有A是合理的推论。B中“只为钱争吵”与他说“不是钱的事”矛盾；C说楼上，音频里是楼下；D没有提到。", "A"),
        ("只有A和C合理。B说为钱争吵，音频里没有；D没有依据。", "AC"),
        ("只有B能成立。A说生气，但他很平静；C、D没有提到。", "B"),
        ("仅A、D可推断。B与音频矛盾，C没有提到。", "AD"),
        ("答案：1、3", "AC"),
        ("选1和4", "AD"),
        ("A和C\nA和C\nA和", "AC"),
        ("逐项分析：A项：他摔门而去，合理。B项：两人提到", ""),
        ("可以推断的是A和C。", "AC"),
        ("能推断出A、C两项。", "AC"),
        ("可推断出的有A、B，不能推断出的有C、D。", "AB"),
        ("合理：A、C；不合理：B、D", "AC"),
        ("合理推论：A、C\n不合理推论：B、D", "AC"),
        ("A能推断，B不能推断，C能推断，D不能推断。", "AC"),
        ("A可以推出，B推不出，C可以推出，D推不出。", "AC"),
        ("A、C符合音频内容，B、D则不符合。", "AC"),
        ("A和C说得通，B和D说不通。", "AC"),
        ("A：有依据\nB：无依据\nC：有依据\nD：无依据", "AC"),
        ("A：可推断\nB：不可推断\nC：可推断\nD：无法推断", "AC"),
        ("A项有依据，B项属于脑补，C项有依据，D项与事实相反。", "AC"),
        ("除了B没有依据外，其他都合理。", "ACD"),
        ("除B外，其余选项均合理。", "ACD"),
        ("B不合理，其余均合理。", "ACD"),
        ("只有B不合理。", "ACD"),
        ("只有C无法推断出来。", "ABD"),
        ("B、D两项缺乏依据，故选A、C。", "AC"),
        ("故排除B、D，选A、C。", "AC"),
        ("A、C正确，B、D错误。", "AC"),
        ("AC正确，BD错误", "AC"),
        ("AC可以推断，BD不能。", "AC"),
        ("前两项合理，后两项不合理。", "AB"),
        ("第一、三项合理。", "AC"),
        ("第1、3个选项是合理的", "AC"),
        ("四项中有三项合理：A、B、D。", "ABD"),
        ("A、B、D三项合理，C项过度解读。", "ABD"),
        ("D纯属臆测，B没有提及，所以是A和C。", "AC"),
        ("四个选项都合理。", "ABCD"),
        ("以上都可以推断。", "ABCD"),
        ("全都可以推断出来。", "ABCD"),
        ("四个都选", "ABCD"),
        ("四项都成立", "ABCD"),
        ("都选", "ABCD"),
        ("ABCD都可以", "ABCD"),
        ("没有一个合理。", ""),
        ("A和B合理，C不确定。", ""),
        ("由音频可以推断出男人生气地离开了家，两个人为钱争吵。", "AB"),
        ("可以推断男人生气地离开了家，但不能推断一个孩子躲在楼上。", "A"),
        ("A：√；B：×；C：√；D：×", "AC"),
        ("A（√）B（×）C（√）D（×）", "AC"),
        ("选A、C。B和D在音频中均未提及。", "AC"),
        ("选A、C。B的说法太绝对，D没有根据。", "AC"),
        ("答案：A、C\nB：没有提到钱。\nD：没有电话声。", "AC"),
        ("A、C都能在音频里找到依据，B、D找不到。", "AC"),
        ("综合来看A和C成立；B把原因说错了，D没有出现。", "AC"),
        ("B把原因说反了，D没有根据，因此只有A、C合理。", "AC"),
        ("A合理，C也合理，其余不合理。", "AC"),
        ("A合理，因为他摔了门；B不合理，因为没提到钱；C合理，楼上有脚步声；D不合理。", "AC"),
    ]
    for response, letters in rows:
        with subtests.test(response):
            assert read_letters(response, CHINESE) == letters


def test_read_choices_reads_chinese_groups_of_five(subtests: pytest.Subtests) -> None:
    rows = [
        ("D和E是合理的，而A缺乏依据，B和C与音频相反。", "DE"),
        ("A、C合理。B与音频内容相反，D和E纯属猜测。", "AC"),
        ("A和B成立，C属于过度推测，D、E与音频不符。", "AB"),
        ("合理的有：A（生气）、B（争吵）、E（报警）。C属于过度推测，D与音频不符。", "ABE"),
        ("正确的是A（生气）和D（挂断）。", "AD"),
        ("可以推断的有A（男人走了）、C（孩子）。其余没有依据。", "AC"),
        ("不合理的有：B（没提钱）、D（没有电话）。其余都合理。", "ACE"),
        ("成立的选项：A（生气）；C（孩子）。", "AC"),
        ("选A（生气）、B（争吵）和E（报警）。", "ABE"),
        ("合理的推论包括A（生气）、B（争吵）；C、D、E均为过度解读。", "AB"),
        ("错误的是A、B，C过度解读，D和E正确。", "DE"),
        ("可以排除B（没提到钱）和D（没有电话），其余三项都有依据。", "ACE"),
        ("排除A（没人离开）、C（没有孩子）。剩下的都合理。", "BDE"),
    ]
    for response, letters in rows:
        with subtests.test(response):
            assert read_letters(response, CHINESE_CALLED) == letters


def test_read_choices_reads_sounds_in_prose(subtests: pytest.Subtests) -> None:
    rows = [
        ("A baby cries and footsteps approach. No rain, no thunder.", "BC"),
        ("A baby cries. There is no rain.", "C"),
        ("Rain falls and a church bell tolls; there is no thunder.", "AF"),
        ("There's thunder and rain, but no footsteps.", "AE"),
        ("No bell, no train. Only footsteps and a baby crying.", "BC"),
        ("There are footsteps. There's neither rain nor thunder.", "B"),
    ]
    for response, letters in rows:
        with subtests.test(response):
            assert read_letters(response, SOUNDS) == letters
