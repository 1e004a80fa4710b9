// Which sectors of a line a reader's half of L2 still has after an SM has changed the line: the reader, one of its own side
// or one of the other side, by a write, a reduction or an atomic. Cycles of a later read of each sector tell it.
#include <cstdint>
#include <cstdio>
#include <vector>

#include "sides_lab.h"

namespace {

using namespace l2_sides;

enum class Change { kNone, kWrite, kReduction, kAtomic };

// A warp of the chosen SM reads all words of each line.
__global__ void fetch_lines(const char* memory, int sm, uint32_t* sink) {
  if (sm_number() != sm) {
    return;
  }
  uint32_t sum = 0;
  for (int i = 0; i < kLines; ++i) {
    sum += __ldcg(reinterpret_cast<const uint32_t*>(memory + i * kStride) + threadIdx.x);
  }
  if (sum == 12345) {
    *sink = sum;
  }
}

__global__ void add_to_lines(char* memory, int sm, int bytes, bool atomic, uint32_t* sink) {
  if (sm_number() != sm || static_cast<int>(threadIdx.x) * 4 >= bytes) {
    return;
  }
  uint32_t sum = 0;
  for (int i = 0; i < kLines; ++i) {
    auto* word = reinterpret_cast<uint32_t*>(memory + i * kStride) + threadIdx.x;
    if (atomic) {
      sum += atomicAdd(word, 1);
    } else {
      asm volatile("red.global.add.u32 [%0], 1;" ::"l"(word) : "memory");
    }
  }
  if (sum == 12345) {
    *sink = sum;
  }
}

void apply(Lab& lab, Change change, int sm, int bytes) {
  if (change == Change::kWrite) {
    lab.write(sm, bytes);
  } else if (change != Change::kNone) {
    add_to_lines<<<kSms, 32>>>(lab.memory, sm, bytes, change == Change::kAtomic, nullptr);
  }
}

}  // namespace

int main() {
  Lab lab;
  const int reader = 0;
  const std::vector<bool> near = homes(lab, reader);
  const Others found = others(lab, reader, near);
  const struct {
    const char* name;
    int sm;
  } sides[] = {{"reader", reader}, {"same side", found.same}, {"other side", found.across}};
  const struct {
    const char* name;
    Change change;
  } changes[] = {{"none", Change::kNone}, {"write", Change::kWrite}, {"reduction", Change::kReduction},
                 {"atomic", Change::kAtomic}};
  std::printf("change,bytes,by,fetched_before,home,sector,lines,p50\n");
  for (const auto& side : sides) {
    for (const auto& [name, change] : changes) {
      for (const int bytes : {4, 32}) {
        for (const bool fetched : {true, false}) {
          for (int sector = 0; sector < 4 && side.sm >= 0; ++sector) {
            lab.flush();
            if (fetched) {
              fetch_lines<<<kSms, 32>>>(lab.memory, reader, nullptr);
            }
            apply(lab, change, side.sm, bytes);
            check(cudaDeviceSynchronize());
            const std::vector<int> cycles = lab.read(reader, sector * 32);
            for (const bool home : {true, false}) {
              std::vector<int> chosen;
              for (int i = 0; i < kLines; ++i) {
                if (near[i] == home) {
                  chosen.push_back(cycles[i]);
                }
              }
              std::printf("%s,%d,%s,%s,%s,%d,%zu,%d\n", name, bytes, side.name, fetched ? "yes" : "no",
                          home ? "near" : "far", sector, chosen.size(), at(chosen, 0.5));
            }
          }
        }
      }
    }
  }
  return 0;
}
