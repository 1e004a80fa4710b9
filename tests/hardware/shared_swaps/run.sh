#!/bin/sh
# Needs a GPU and nvcc. Writes h200.csv.
set -eu
out=${1:?usage: run.sh OUTPUT_FILE}
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
nvcc -O3 -std=c++17 -arch=native "$here/shared_swaps.cu" -o "$work/shared_swaps"
"$work/shared_swaps" > "$out"
