// The cost of a read by the line's home, its previous user and whether it was written: one SM reads lines one after the
// other after no SM, itself, an SM of its own partition or one of the other partition has read or written them.
#include <cstdio>
#include <string>
#include <vector>

#include <unistd.h>

#include "sides_lab.h"

namespace {

using namespace l2_sides;

void report(const char* test, int reader, int other, const std::vector<bool>& near, const std::vector<int>& cycles) {
  for (const bool side : {true, false}) {
    std::vector<int> chosen;
    for (int i = 0; i < kLines; ++i) {
      if (near[i] == side) {
        chosen.push_back(cycles[i]);
      }
    }
    std::printf("%s,%d,%d,%s,%zu,%d,%d,%d\n", test, reader, other, side ? "near" : "far", chosen.size(), at(chosen, 0.1),
                at(chosen, 0.5), at(chosen, 0.9));
  }
}

}  // namespace

int main() {
  Lab lab;
  std::printf("test,reader,other,home,lines,p10,p50,p90\n");
  for (const int reader : {0, 1}) {
    const std::vector<bool> near = homes(lab, reader);
    const auto [same, across] = others(lab, reader, near);
    lab.flush();
    report("nobody", reader, -1, near, lab.read(reader));
    report("read again", reader, reader, near, lab.read(reader));
    for (const int who : {reader, same, across}) {
      if (who < 0) {
        continue;
      }
      lab.flush();
      lab.read(who);
      report("read", reader, who, near, lab.read(reader));
      report("read, second time", reader, who, near, lab.read(reader));
      for (const int bytes : {4, 32, 128}) {
        const std::string number = std::to_string(bytes);
        lab.flush();
        lab.write(who, bytes);
        report(("written " + number).c_str(), reader, who, near, lab.read(reader));
        report(("written " + number + ", second time").c_str(), reader, who, near, lab.read(reader));
        lab.flush();
        lab.read(reader);
        lab.write(who, bytes);
        report(("read by the reader and written " + number).c_str(), reader, who, near, lab.read(reader));
      }
    }
    // The first lines of more partly written ones: when are they completed?
    for (const int who : {reader, across}) {
      for (const int bytes : {4, 8, 16, 28}) {
        for (int lines = kLines; lines <= kMostLines && who >= 0; lines *= 2) {
          for (const bool pause : {false, true}) {
            lab.flush();
            lab.write(who, bytes, lines);
            if (pause) {
              check(cudaDeviceSynchronize());
              usleep(20000);
            }
            const std::string test = "written " + std::to_string(bytes) + " of " + std::to_string(lines) + (pause ? ", after 20 ms" : "");
            report(test.c_str(), reader, who, near, lab.read(reader));
          }
        }
      }
    }
  }
  return 0;
}
