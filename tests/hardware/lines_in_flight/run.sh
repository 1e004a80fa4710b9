#!/bin/sh
# Compiles and runs the program on this machine's GPU, of 132 SMs or more: run.sh FOLDER writes FOLDER/results.csv.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
folder=${1:?usage: run.sh FOLDER}
nvcc -O3 -std=c++17 -arch=native "$here/lines_in_flight.cu" -o "$folder/lines_in_flight"
"$folder/lines_in_flight" >"$folder/results.csv"
