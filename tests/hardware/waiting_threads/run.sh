#!/bin/sh
# Needs a GPU of 7.0 or later (8.0 for the sums) and nvcc. Columns: kernel, thread, the threads that are with it after
# the loop or operation, cycles until then, and its result (results of .sync operations).
set -eu
out=${1:?usage: run.sh OUTPUT_DIRECTORY}
here=$(cd "$(dirname "$0")" && pwd)
nvcc -O3 -std=c++17 -arch=native "$here/waiting_threads.cu" -o "$out/waiting_threads"
"$out/waiting_threads" > "$out/results.csv"
