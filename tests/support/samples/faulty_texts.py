"""Texts with a fault, in every format: the code, message, line and ID of the first problem of a check."""

import pickle

from tests.support.samples.faulty_files import GOOD, ROW, SUPPORTED_FORMATS


def broken(form: str, example: str, line: int) -> str:
    return (
        f"The {form} cannot be read from line {line} on: the following text is not JSON, or is longer than 2,500,000 "
        f"bytes. {example} Write it with a JSON library."
    )


IN_LIST = "Write a list of predictions as [{…}, {…}]."
IN_OBJECT = 'Write an object of predictions as {"<id>": "<response>", …}.'
ENTRY = (
    "is neither a string, nor a list of strings (runs 0, 1, …), nor an object with a `response`. "
    'Expected: {"<id>": "the model\'s raw text", …}'
)
NO_JSON = "is not a JSON object. Write one object per line and nothing else."
NOT_JSON = NO_JSON + ROW
NAN = NO_JSON + " This one contains NaN or Infinity, which JSON does not allow. Write null or remove the field." + ROW
HALF = (
    NO_JSON + " This one has an unpaired surrogate, such as \\ud800. Remove it, or write the complete character." + ROW
)
COMMENT = NO_JSON + " This one contains a comment, which JSON does not allow. Remove it." + ROW
CUT = "The {} cannot be read from line {} on: it is cut off{}. {} Send all of it."
NO_FORM = f"Line 1 is neither JSON nor a CSV header with `id` and `response`. Send {SUPPORTED_FORMATS}."
HEADER = "Line 1: the header of the CSV file has no"
TOO_LONG_RECORD = (
    "The record that begins in line 2 is longer than 2,500,000 bytes. Check for an unclosed quote; double "
    "every quote within a cell. A response may have at most 200,000 characters."
)
OPEN_QUOTE = (
    "A quote in the record that begins in line 2 is never closed. Close it, and double every quote within a cell."
)
BAD_QUOTE = "Line 2 has a quote inside a cell. Put the whole cell in quotes, and double every quote in it."
A = b'{"id": "amb-one", "response": "x"'
DEEP = b"[" * 100_000 + b"]" * 100_000
DIGITS = b"9" * 1_000_000
TEXTS: dict[str, tuple[bytes, str, str, int | None, str | None]] = {
    # JSON Lines
    "lines-deep": (A + b', "z": ' + DEEP + b"}\n", "not-json", f"Line 1, id `amb-one` {NOT_JSON}", 1, "amb-one"),
    "lines-digits": (
        A + b', "run": ' + DIGITS + b"}\n{}",
        "wrong-type",
        "Line 1, id `amb-one` has a `run` that is not a whole number from 0." + ROW,
        1,
        "amb-one",
    ),
    "lines-nan": (A + b', "run": NaN}\n', "not-json", f"Line 1, id `amb-one` {NAN}", 1, "amb-one"),
    "lines-surrogate": (
        rb'{"id": "amb-one", "response": "\ud800"}',
        "not-json",
        f"Line 1, id `amb-one` {HALF}",
        1,
        "amb-one",
    ),
    "lines-latin": (
        '{"id": "amb-one", "response": "schön"}'.encode("latin-1"),
        "encoding",
        "Line 1, id `amb-one` is not UTF-8. Save the file as UTF-8." + ROW,
        1,
        "amb-one",
    ),
    **{
        f"lines-{field}-twice": (
            A + b', "run": 0, "' + field.encode() + b'": ' + value + b"}",
            "duplicate-field",
            f"Line 1, id `amb-one` has `{field}` more than once. Keep one of them.",
            1,
            "amb-one",
        )
        for field, value in (("id", b'"amb-two"'), ("response", b'"y"'), ("run", b"1"))
    },
    "lines-escaped-name-twice": (
        A + rb', "\u0069d": "amb-one"}',
        "duplicate-field",
        "Line 1, id `amb-one` has `id` more than once. Keep one of them.",
        1,
        "amb-one",
    ),
    "lines-respone": (
        b'{"id": "amb-one", "respone": "A"}',
        "missing-field",
        "Line 1, id `amb-one` has no `response`. Rename `respone` to `response`." + ROW,
        1,
        "amb-one",
    ),
    "lines-answer": (
        b'{"id": "amb-one", "run": 0, "answer": "A"}',
        "missing-field",
        "Line 1, id `amb-one` has no `response`. Rename `answer` to `response`." + ROW,
        1,
        "amb-one",
    ),
    "lines-bidi-name": (
        '{"id": "amb-one", "respon\u202ee": "A"}'.encode(),
        "missing-field",
        "Line 1, id `amb-one` has no `response`. Rename `respon�e` to `response`." + ROW,
        1,
        "amb-one",
    ),
    "lines-item-id": (
        b'{"item_id": "amb-one", "response": "A"}',
        "missing-field",
        "Line 1 has no `id`. Rename `item_id` to `id`." + ROW,
        1,
        None,
    ),
    "lines-too-long": (
        b'{"id": "' + b"x" * 3_000_000 + b'"}\n' + A + b"}",
        "line-too-long",
        "Line 1 is longer than 2,500,000 bytes. Write one prediction per line; a response may have at most "
        "200,000 characters.",
        1,
        None,
    ),
    "lines-comment-first": (b"// answers\n" + A + b"}", "not-json", f"Line 1 {COMMENT}", 1, None),
    # one list
    "list-deep": (b"[" + A + b', "z": ' + DEEP + b"}]", "not-json", broken("list", IN_LIST, 1), 1, None),
    "list-digits": (
        b"[" + A + b', "run": ' + DIGITS + b"}]",
        "wrong-type",
        "Line 1, id `amb-one` has a `run` that is not a whole number from 0." + ROW,
        1,
        "amb-one",
    ),
    "list-nan": (b"[\n" + A + b', "run": NaN}]', "not-json", f"Line 2, id `amb-one` {NAN}", 2, "amb-one"),
    "list-surrogate": (
        rb'[{"id": "amb-one", "response": "\udc00"}]',
        "not-json",
        f"Line 1, id `amb-one` {HALF}",
        1,
        "amb-one",
    ),
    "list-latin": (
        b'[\n{"id": "\xff"}]',
        "encoding",
        "The file is not UTF-8 from line 1 on. Save it as UTF-8.",
        1,
        None,
    ),
    "list-cut": (b"[\n" + A, "not-json", CUT.format("list", 2, "", IN_LIST), 2, None),
    "list-then-more": (
        b"[" + A + b"}]\n{}",
        "not-json",
        "Line 2: there is extra text after the end of the list. Remove it.",
        2,
        None,
    ),
    "list-of-texts": (b'[\n"A"]', "not-object", "Line 2 is not a JSON object." + ROW, 2, None),
    "list-id-twice": (
        b"[\n" + A + b', "id": "amb-two"}]',
        "duplicate-field",
        "Line 2, id `amb-one` has `id` more than once. Keep one of them.",
        2,
        "amb-one",
    ),
    # one object
    "object-deep": (b'{"amb-one": ' + DEEP + b"}", "not-json", broken("object", IN_OBJECT, 1), 1, None),
    "object-digits": (
        b'{"amb-one": ' + DIGITS + b"}",
        "wrong-type",
        f"Line 1: the value of `amb-one` {ENTRY}",
        1,
        "amb-one",
    ),
    "object-null": (
        b'{"amb-one": null}',
        "wrong-type",
        f"Line 1: the value of `amb-one` {ENTRY}",
        1,
        "amb-one",
    ),
    "object-nan": (
        b'{\n"amb-one":\nNaN}',
        "wrong-type",
        f"Line 2: the value of `amb-one` {ENTRY}",
        2,
        "amb-one",
    ),
    "object-list-of-verdicts": (
        b'{\n"trace-1": [true, 1]\n}',
        "wrong-type",
        f"Line 2: the value of `trace-1` {ENTRY}",
        2,
        "trace-1",
    ),
    "object-surrogate": (
        b'{"amb-one": "\\ud800"}',
        "wrong-type",
        f"Line 1: the value of `amb-one` {ENTRY}",
        1,
        "amb-one",
    ),
    "object-bidi": (
        '{"amb\u202eone": 1}'.encode(),
        "wrong-type",
        f"Line 1: the value of `amb�one` {ENTRY}",
        1,
        None,
    ),
    "object-surrogate-key": (
        b'{\n"amb-one": "A",\n"\\ud800": "B"}',
        "bad-id",
        "Line 3 has an id that is not a string. Copy the ids from questions.jsonl.",
        3,
        None,
    ),
    "object-key-twice": (
        b'{"amb-one": "A",\n"amb-one": "B"}',
        "duplicate",
        "Line 2: run 0 of `amb-one` was already answered (line 1). Keep one.",
        2,
        "amb-one",
    ),
    "object-field-twice": (
        b'{\n"amb-one": {"response": "A", "response": "B"}}',
        "duplicate-field",
        "Line 2, id `amb-one` has `response` more than once. Keep one of them.",
        2,
        "amb-one",
    ),
    "object-respone": (
        b'{\n"amb-one": {"respone": "A"}}',
        "missing-field",
        "Line 2, id `amb-one` has no `response`. Rename `respone` to `response`." + ROW,
        2,
        "amb-one",
    ),
    "object-run-too-many": (
        b'{"amb-one": ["A", "B", "C", "D"]}',
        "unknown-run",
        "Line 1: run 3 of `amb-one` does not exist. Its runs are 0, 1, 2.",
        1,
        "amb-one",
    ),
    "object-of-rows": (
        b'{"predictions": [' + A + b"}]}",
        "wrong-form",
        'The rows are in a list called "predictions" inside an object. Send only the list: [{…}, {…}].',
        1,
        None,
    ),
    "object-cut": (
        b'{\n"amb-one": "A",\n',
        "not-json",
        CUT.format("object", 3, ", or its closing bracket is missing", IN_OBJECT),
        3,
        None,
    ),
    "object-without-colon": (b'{\n"amb-one": "A",\n"x" 1}', "not-json", broken("object", IN_OBJECT, 3), 3, None),
    "object-without-comma": (
        b'{\n"amb-one": "A"\n"x": 1}',
        "not-json",
        f"The object cannot be read from line 3 on: a comma is missing here. {IN_OBJECT} Add it.",
        3,
        None,
    ),
    "object-then-more": (
        b'{\n"amb-one": "A"\n}\n{}',
        "not-json",
        "Line 4: there is extra text after the end of the object. Remove it.",
        4,
        None,
    ),
    # CSV
    "csv-field-of-3-MB": (
        b'id,response\namb-one,"' + b"x" * 3_000_000 + b'"\n',
        "line-too-long",
        TOO_LONG_RECORD,
        2,
        None,
    ),
    "csv-bare-field-of-3-MB": (
        b"id,response\namb-one," + b"x" * 3_000_000,
        "line-too-long",
        TOO_LONG_RECORD,
        2,
        None,
    ),
    "csv-open-quote": (b'id,response\namb-one,"x\namb-two,y\n', "open-quote", OPEN_QUOTE, 2, None),
    "csv-quote-within": (b'id,response\namb-one,say "x"\n', "bad-quotes", BAD_QUOTE, 2, None),
    "csv-quote-ends-early": (b'id,response\namb-one,"x" y\n', "bad-quotes", BAD_QUOTE, 2, None),
    "csv-extra-cell": (
        b"id,response\namb-one,x, y\n",
        "wrong-length",
        "Line 2 has 3 cells, but the header has 2. Put a text with commas, quotes or line breaks in quotes.",
        2,
        None,
    ),
    "csv-missing-cell": (
        b"id;run;response\namb-one;0\n",
        "wrong-length",
        "Line 2 has 2 cells, but the header has 3. Put a text with semicolons, quotes or line breaks in quotes.",
        2,
        None,
    ),
    **{
        f"csv-run-{run}": (
            f"id,run,response\namb-one,{run},x\n".encode(),
            "wrong-type",
            "Line 2, id `amb-one` has a `run` that is not a whole number from 0. Write 0, 1, 2, …",
            2,
            "amb-one",
        )
        for run in ("1.0", "-1", "one", "NaN", "1e0", "٣", "9" * 1_000)
    },
    "csv-python-list": (
        b'id,erroneous\ntrace-1,"[True, False]"\n',
        "wrong-type",
        "Line 2, id `trace-1` has a cell of `erroneous` that is not a JSON list such as [true, false].",
        2,
        "trace-1",
    ),
    "csv-nan-score": (
        b'id,erroneous,scores\ntrace-1,"[true, false]","[NaN, 0]"\n',
        "wrong-type",
        "Line 2, id `trace-1` has a cell of `scores` that is not a JSON list such as [0.9, 0.1].",
        2,
        "trace-1",
    ),
    "csv-deep-list": (
        b'id,erroneous\ntrace-1,"' + DEEP + b'"\n',
        "wrong-type",
        "Line 2, id `trace-1` has a cell of `erroneous` that is not a JSON list such as [true, false].",
        2,
        "trace-1",
    ),
    "csv-latin": (
        b"id,response\namb-one,sch\xf6n\n",
        "encoding",
        "Line 2 is not UTF-8. Save the file as UTF-8.",
        2,
        None,
    ),
    "csv-respone": (
        b"id,respone\namb-one,x\n",
        "missing-field",
        f"{HEADER} `response`. Rename `respone` to `response`. Expected: id,run,response",
        1,
        None,
    ),
    "csv-uppercase-header": (
        b"ID,Response\namb-one,x\n",
        "missing-field",
        f"{HEADER} `id`. Rename `ID` to `id` and `Response` to `response`. Expected: id,run,response",
        1,
        None,
    ),
    "csv-id-only": (b"id\namb-one\n", "missing-field", f"{HEADER} `response`. Expected: id,run,response", 1, None),
    "csv-column-twice": (
        b"id,response,response\namb-one,x,y\n",
        "duplicate-field",
        "Line 1: the header has `response` twice. Keep one.",
        1,
        None,
    ),
    "csv-carriage-returns": (
        b"id,response\ramb-one,x\r",
        "line-ends",
        "The lines end in carriage returns only. Save the file with standard line endings.",
        1,
        None,
    ),
    "csv-without-header": (b"amb-one,x\namb-two,y\n", "unknown-form", NO_FORM, 1, None),
    # unknown formats
    "prose": (b"The answer is A.\n", "unknown-form", NO_FORM, 1, None),
    "yaml": (b"amb-one: A\namb-two: B\n", "unknown-form", NO_FORM, 1, None),
    "number": (b"12", "unknown-form", NO_FORM, 1, None),
    "old-pickle": (pickle.dumps(GOOD, 0), "unknown-form", NO_FORM, 1, None),
    **{
        f"empty-{n}": (
            data,
            "empty-file",
            "The file is empty. Write one line per question.",
            None,
            None,
        )
        for n, data in enumerate((b"", b"\n \n", b"[]", b"\xef\xbb\xbf", b"id,response\n", b'{"amb-one": []}'))
    },
}
