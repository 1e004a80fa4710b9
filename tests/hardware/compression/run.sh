#!/bin/sh
# Compiles and runs the program on this machine's GPU, counts what its kernels move, and writes both to
# FOLDER/results.csv: run.sh FOLDER
set -eu
here=$(cd "$(dirname "$0")" && pwd)
folder=$1
nvcc -O2 -std=c++17 -arch=native "$here/compression.cu" -o "$folder/compression" -lcuda
"$folder/compression" >"$folder/times.csv"
ncu --csv --page raw --clock-control none --cache-control all \
  --metrics dram__bytes_read.sum,dram__bytes_write.sum,lts__t_sectors_op_read.sum,lts__t_sectors_op_write.sum \
  --print-units base "$folder/compression" traffic >"$folder/traffic.csv"
"$here/summarise.py" "$folder/times.csv" "$folder/traffic.csv" >"$folder/results.csv"
