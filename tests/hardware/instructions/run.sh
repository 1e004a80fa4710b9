#!/bin/sh
# Needs a Hopper GPU, g++ and CUDA's header and driver library. Writes results.txt.xz.
set -eu
out=${1:?usage: run.sh OUTPUT_DIRECTORY}
here=$(cd "$(dirname "$0")" && pwd)
tests=$here/../..
cuda=${CUDA_HOME:-/usr/local/cuda}
g++ -O1 -std=c++20 -I"$tests" -I"$cuda/include" "$here/record.cc" "$tests/support/instruction_forms.cc" \
  -L"$cuda/lib64/stubs" -lcuda -o "$out/record"
"$out/record" "$here/forms.txt" > "$out/results.txt"
xz -9e -c "$out/results.txt" > "$out/results.txt.xz"
