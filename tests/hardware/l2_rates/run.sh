#!/bin/sh
# Needs a GPU of 132 SMs and nvcc. results.csv: the SMs, their number, their operation (1 read, 2 write, 3 copy; of the
# SMs at even and odd places of the list), payload per SM (a copy counts once) and of all.
set -eu
out=${1:?usage: run.sh OUTPUT_DIRECTORY}
here=$(cd "$(dirname "$0")" && pwd)
nvcc -O3 -std=c++17 -arch=native "$here/l2_rates.cu" -o "$out/l2_rates"
"$out/l2_rates" > "$out/results.csv"
