#!/bin/sh
# Needs a GPU and nvcc. results.csv: cycles of an iteration; load_loop.sass: the code.
set -eu
out=${1:?usage: run.sh OUTPUT_DIRECTORY}
here=$(cd "$(dirname "$0")" && pwd)
nvcc -O3 -std=c++17 -arch=native "$here/load_loop.cu" -o "$out/load_loop"
"$out/load_loop" > "$out/results.csv"
