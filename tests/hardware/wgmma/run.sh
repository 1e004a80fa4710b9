#!/bin/sh
# Needs a Hopper GPU, nvcc and ptxas. Writes results.csv; with `profile` as a second argument also stalls.csv by ncu.
# Times in cycles from the previous clock; issue times from the first clock after the fence of all warpgroups.
set -eu
out=${1:?usage: run.sh OUTPUT_DIRECTORY [profile]}
here=$(cd "$(dirname "$0")" && pwd)
kernels=$(mktemp -d)
nvcc -O3 -std=c++17 -gencode=arch=compute_90a,code=sm_90a "$here/wgmma.cu" -o "$out/wgmma"
"$out/wgmma" write "$kernels"
# A kernel of four warpgroups with more registers than available is refused: no row.
ls "$kernels" | sed 's/[.]ptx$//' |
  xargs -P "$(nproc)" -I{} sh -c "ptxas -O3 -arch=sm_90a $kernels/{}.ptx -o $kernels/{}.cubin 2>/dev/null || true"
"$out/wgmma" run "$kernels" > "$out/results.csv"
if [ "${2:-}" = profile ]; then
  for number in 0 1 2 3 4; do
    ncu --csv --clock-control none --metrics "regex:smsp__average_warps_issue_stalled.*_per_issue_active,smsp__cycles_active.avg,\
regex:.*pipe_tensor.*(sum|avg)$,regex:smsp__issue_active.sum,regex:l1tex__data_.*(sum)$" \
      "$out/wgmma" profile "$kernels" $number
  done | python3 "$here/../counters_to_csv.py" .ratio pipe_tensor.sum pipe_tensor_cycles_active.sum shared_op_gmma \
    issue_active.sum smsp__cycles_active.avg > "$out/stalls.csv"
fi
