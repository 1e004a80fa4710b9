#!/bin/sh
# Needs a GPU of 132 SMs and nvcc. results.csv: previous use of the lines, reading SM, SM of the previous use (-1:
# none), side of the lines' home seen from the reader, lines, cycles of a read that a tenth, half and nine tenths of
# them do not exceed; rows that begin with #side: percentage of the lines that are equally near to a second SM.
# changes.csv: the change, its bytes from the start of each line, which SM makes it, whether the reader has read all
# words of the lines before, side of their home, the sector that is read, lines, cycles of half of the reads.
set -eu
out=${1:?usage: run.sh OUTPUT_DIRECTORY}
here=$(cd "$(dirname "$0")" && pwd)
nvcc -O3 -std=c++17 -arch=native "$here/l2_sides.cu" -o "$out/l2_sides"
"$out/l2_sides" > "$out/results.csv"
nvcc -O3 -std=c++17 -arch=native "$here/changes.cu" -o "$out/changes"
"$out/changes" > "$out/changes.csv"
