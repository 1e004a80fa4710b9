#!/bin/sh
# Needs a GPU of 7.0 or later (8.0 for the sums) and nvcc. Columns: kernel, thread, which threads are with it behind the
# loop or operation, cycles until then, and what it found (results of .sync operations).
set -eu
out=${1:?usage: run.sh OUTPUT_DIRECTORY}
here=$(cd "$(dirname "$0")" && pwd)
nvcc -O3 -std=c++17 -arch=native "$here/waiting_threads.cu" -o "$out/waiting_threads"
"$out/waiting_threads" > "$out/results.csv"
