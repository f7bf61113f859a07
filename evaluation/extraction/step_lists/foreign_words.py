"""Verdicts on steps in other languages than English and Chinese, translated word by word.

Only answers that name a step in French, German, Spanish, Italian, Portuguese, Japanese or Korean are touched. The words
of a verdict are few; whatever else such an answer says stays as it is and judges nothing.
"""

import re

_STEP = re.compile(
    r"(?<![a-z])(?:étapes?|etapes?|schritte?n?|pasos?|passaggi[oi]?|passi|passos?|etapas?)(?![a-z])(?= ?[0-9#])"
    r"|(?:ステップ|단계) ?(?=[0-9])|(?<=[0-9]) ?단계",
    re.IGNORECASE,
)
_CUES = ("tape", "chritt", "paso", "passo", "passag", "passi ", "ステップ", "단계")
_WORDS = {
    "step": "étape étapes etape etapes schritt schritte schritten paso pasos passaggio passaggi passo passi passos"
    " etapa etapas ステップ 단계",
    "and": "et und y e と",
    "is": "est ist es è は も が",
    "are": "sont sind son sono são",
    "not": "pas nicht não",
    "correct": "correcte correctes exacte exactes juste justes richtig korrekt correcto correcta correctos"
    " correctas corretto corretta corretti correto correta corretos corretas"
    " 正しい 正しいです 正解 맞음 맞습니다 맞다 정확함 올바름",
    "erroneous": "erronée erroné erronées erronés fausse faux fausses incorrecte incorrectes falsch fehlerhaft"
    " inkorrekt incorrecto incorrecta incorrectos incorrectas erróneo errónea erróneos erróneas errato errata errati"
    " sbagliato sbagliata errado errada errados incorreto incorreta"
    " 誤り 誤りです 間違い 間違いです 間違っている 間違っています 不正解 틀림 틀렸습니다 틀리다 오류 잘못됨",
    "all": "toutes tous alle todos todas tutti",
    "the others": "autres anderen übrigen restantes demás altri outros",
}
_TRANSLATED = {word: english for english, words in _WORDS.items() for word in words.split()}
_ANY = re.compile(
    rf"(?<![a-zà-ÿ])(?:l')?(?P<latin>{'|'.join(word for word in _TRANSLATED if word[0] < 'ÿ')})(?![a-zà-ÿ'])"
    rf"|(?P<other>{'|'.join(sorted((word for word in _TRANSLATED if word[0] > 'ÿ'), key=len, reverse=True))})",
    re.IGNORECASE,
)


def translate_verdicts(text: str) -> str:
    """Return an answer in another language with its steps and verdicts in English; any other text as it is.

    >>> translate_verdicts("Les étapes 1 et 2 sont correctes."), translate_verdicts("ステップ1は誤り。")
    ('Les step 1 and 2 are correct.', 'step 1 is erroneous 。')
    """
    lowered = text.lower()
    if not any(cue in lowered for cue in _CUES) or not _STEP.search(text):
        return text
    text = _ANY.sub(
        lambda match: _TRANSLATED[match["latin"].lower()] if match["latin"] else f" {_TRANSLATED[match['other']]} ",
        text,
    )
    return re.sub("  +", " ", text).replace("step s", "steps").strip()
