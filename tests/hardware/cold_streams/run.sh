#!/bin/sh
# Needs a GPU, nvcc and ncu. Writes cold.csv and warm.csv, from which h200.csv was made, a row for each launch.
set -eu
out=${1:?usage: run.sh OUTPUT_DIRECTORY}
here=$(cd "$(dirname "$0")" && pwd)
nvcc -O3 -std=c++17 -arch=native "$here/cold_streams.cu" -o "$out/cold_streams"
for caches in all none; do
  ncu --csv --cache-control "$caches" --clock-control none --log-file "$out/$caches.csv" \
    --metrics gpc__cycles_elapsed.max,sm__cycles_active.avg,dram__bytes_read.sum,dram__bytes_write.sum \
    "$out/cold_streams" > /dev/null
done
mv "$out/all.csv" "$out/cold.csv"
mv "$out/none.csv" "$out/warm.csv"
