"""Result files of other evaluation tools: lmms-eval, inspect_ai, VLMEvalKit, EvalScope, UltraEval-Audio and HELM.

Only IDs, runs and raw responses are read; scores and extracted answers of the tools are ignored.
"""

from evaluation.predictions.tool_files.archive_members import find_archive_reader
from evaluation.predictions.tool_files.tool_readers import find_json_reader

__all__ = ["find_archive_reader", "find_json_reader"]
