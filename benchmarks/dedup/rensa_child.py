"""Signatures by rensa, in the environment of its own: `python rensa_child.py TEXTS`, a JSON list of texts.

Prints CPU milliseconds a text: from the text, its 5-grams cut in Python, and from ready hashes of 5-grams alone.
"""

from __future__ import annotations

import json
import sys
import time
from array import array
from pathlib import Path

from rensa import RMinHash

PERMUTATIONS, SEED = 128, 1


def main() -> None:
    texts = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    RMinHash.digest_matrix_from_token_sets([["가나다라마"]], PERMUTATIONS, SEED)
    started = time.process_time()
    sets = [list({text[place : place + 5] for place in range(len(text) - 4)}) for text in texts]
    RMinHash.digest_matrix_from_token_sets(sets, PERMUTATIONS, SEED)
    from_text = time.process_time() - started
    hashes, offsets = array("Q"), array("Q", [0])
    for grams in sets:
        hashes.extend(hash(gram) & 0xFFFFFFFFFFFFFFFF for gram in grams)
        offsets.append(len(hashes))
    started = time.process_time()
    RMinHash.digest_matrix_from_flat_token_hashes(hashes, offsets, PERMUTATIONS, SEED)
    ready = time.process_time() - started
    print(json.dumps({"from_text": from_text / len(texts) * 1000, "ready": ready / len(texts) * 1000}))


if __name__ == "__main__":
    main()
