"""Practice answers: a second file of a submission, whose score shows what the model knows of public questions."""
