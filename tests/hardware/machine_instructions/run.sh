#!/bin/sh
# Needs a Hopper GPU, g++, xz and a CUDA toolkit. Executes the words of words.txt.xz and writes results-N.bin.xz, which
# tests/hardware/machine_instructions/summary.py turns into results.txt.xz.
set -eu
out=${1:?usage: run.sh OUTPUT_DIRECTORY}
here=$(cd "$(dirname "$0")" && pwd)
tests=$here/../..
cuda=${CUDA_HOME:-/usr/local/cuda}
processes=${PROCESSES:-4}

# A kernel whose code is replaced: parameters, registers and enough instructions.
{
  echo '.version 8.0'
  echo '.target sm_90'
  echo '.address_size 64'
  echo '.visible .entry slot(.param .u64 o, .param .u64 u, .param .u64 r, .param .u64 s, .param .align 4 .b8 c[64]) {'
  echo '.reg .b32 %r<64>; .reg .b64 %a; ld.param.u64 %a, [o];'
  for round in 0 1 2 3 4 5; do
    for i in $(seq 0 63); do echo "ld.volatile.global.u32 %r$i, [%a+$((4 * i + 256 * round))];"; done
    for i in $(seq 0 63); do echo "st.volatile.global.u32 [%a+$((256 * round + 252 - 4 * i))], %r$i;"; done
  done
  echo 'exit; }'
} > "$out/slot.ptx"
"$cuda/bin/ptxas" -arch=sm_90 "$out/slot.ptx" -o "$out/slot.cubin"
g++ -O2 -std=c++20 -I"$tests" -I"$cuda/include" "$here/record.cc" "$tests/support/machine_slots.cc" \
  -L"$cuda/lib64/stubs" -lcuda -o "$out/record"
xz -dc "$here/words.txt.xz" > "$out/words.txt"
for part in $(seq 0 $((processes - 1))); do
  "$out/record" "$out/slot.cubin" "$out/words.txt" "$part" "$processes" "$out/results-$part.bin" "$out/faults" &
done
wait
xz -1 -T0 "$out"/results-*.bin
rm "$out/record" "$out/faults" "$out/slot.ptx" "$out/words.txt"
