#!/bin/sh
# Run both targets for so many seconds each: run.sh PYTHON SECONDS. Fails if anything is found.
set -eu
python=$1 seconds=$2
here=$(dirname "$0")
cd "$here/.."
mkdir -p fuzz/finds fuzz/corpus/parse fuzz/corpus/lint fuzz/corpus/seeds
"$python" - <<'PYTHON'
import hashlib
import json
from pathlib import Path

seeds = [case["text"].encode() for case in json.loads(Path("tests/data/yaml-test-suite.json").read_text())]
seeds += [path.read_bytes() for path in Path("fixtures").rglob("*.y*ml")]
seeds += [path.read_bytes() for path in Path("tests/data/fuzz").iterdir()]
for seed in seeds:
    Path("fuzz/corpus/seeds", hashlib.sha256(seed).hexdigest()[:16]).write_bytes(seed)
PYTHON
for target in parse lint; do
  "$python" fuzz/harness.py "$target" -dict=fuzz/words.dict -max_total_time="$seconds" -timeout=10 \
    -report_slow_units=10 -max_len=6000 -verbosity=0 -artifact_prefix="fuzz/finds/$target-" \
    "fuzz/corpus/$target" fuzz/corpus/seeds
done
test -z "$(ls fuzz/finds)" || { echo "fuzzing found something: see fuzz/finds" >&2; exit 1; }
