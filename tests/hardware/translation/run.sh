#!/bin/sh
# Needs a GPU with 130 GiB of free memory and nvcc. Writes the files of measurements into a folder.
set -eu
out=${1:?usage: run.sh FOLDER [NAME]}
name=${2:-h200}
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for program in translation reach walks probe; do
  nvcc -O2 -std=c++17 -arch=native "$here/$program.cu" -lcuda -o "$work/$program"
done
"$work/translation" > "$out/$name.csv"
"$work/reach" 128 > "$out/${name}_reach.csv"
"$work/walks" > "$out/${name}_walks.csv"
"$work/probe" > "$out/${name}_probe.csv"
