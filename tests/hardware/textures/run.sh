#!/bin/sh
# Needs a GPU and nvcc. Writes h200.csv.
set -eu
out=${1:?usage: run.sh OUTPUT_DIRECTORY}
here=$(cd "$(dirname "$0")" && pwd)
nvcc -O3 -std=c++17 -arch=native "$here/textures.cu" -o "$out/textures"
"$out/textures" > "$out/h200.csv"
