#!/bin/sh
# Needs a GPU and nvcc.
set -eu
out=${1:?usage: run.sh OUTPUT_DIRECTORY}
here=$(cd "$(dirname "$0")" && pwd)
nvcc -O3 -std=c++17 -arch=native "$here/copy_passes.cu" -o "$out/copy_passes"
"$out/copy_passes" > "$out/results.csv"
