#!/bin/sh
# Needs a GPU with two L2 partitions and nvcc. Writes h200.csv or h100.csv: comment lines, then a row for each repetition.
set -eu
out=${1:?usage: run.sh OUTPUT_FILE}
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
nvcc -O3 -std=c++20 -arch=native "$here/fabric_rates.cu" -o "$work/fabric_rates"
"$work/fabric_rates" > "$out"
