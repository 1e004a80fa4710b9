// Executes machine words in the slot of the kernel of support/machine_slots.h, one launch a word, and writes what
// differs from the results of a NOP. A word that faults or hangs ends the process that executes it; the next word is
// executed by a new one.
//
// A record: number of the word, status (0: executed), mask of the result words that differ, all 32 bits; the hash of
// all results, 64 bits; then those result words of the first rows.
#include <cuda.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "support/machine_slots.h"

namespace {

using namespace warpsim::test;

constexpr std::uint32_t kBubble = 40;
constexpr std::uint32_t kWrittenRows = 1024;

void check(CUresult result, const char* what) {
  if (result != CUDA_SUCCESS) {
    const char* text = nullptr;
    cuGetErrorString(result, &text);
    std::fprintf(stderr, "%s: %s\n", what, text != nullptr ? text : "unknown error");
    std::_Exit(1);
  }
}

std::vector<SlotWord> read_words(const std::string& path) {
  std::vector<SlotWord> words;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    std::istringstream fields(line);
    SlotWord word;
    std::string how;
    if (fields >> std::hex >> word.high >> word.low >> how) {
      word.diverges = how == "d";
      words.push_back(word);
    }
  }
  return words;
}

// The bytes of section .text.slot of an ELF file of 64 bits.
struct Section {
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
};
Section text_of(const std::vector<char>& image) {
  const auto number = [&](std::uint64_t at, unsigned bytes) {
    std::uint64_t value = 0;
    std::memcpy(&value, image.data() + at, bytes);
    return value;
  };
  const std::uint64_t table = number(0x28, 8);
  const std::uint64_t size = number(0x3a, 2);
  const std::uint64_t count = number(0x3c, 2);
  const std::uint64_t names = number(table + size * number(0x3e, 2) + 0x18, 8);
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t header = table + size * i;
    if (std::strcmp(image.data() + names + number(header, 4), ".text.slot") == 0) {
      return {number(header + 0x18, 8), number(header + 0x20, 8)};
    }
  }
  std::fprintf(stderr, "there is no section .text.slot\n");
  std::_Exit(1);
}

class Device {
 public:
  explicit Device(const std::string& cubin) {
    std::ifstream file(cubin, std::ios::binary);
    image_.assign(std::istreambuf_iterator<char>(file), {});
    text_ = text_of(image_);
    check(cuInit(0), "cuInit");
    CUdevice device;
    check(cuDeviceGet(&device, 0), "device");
    check(cuDevicePrimaryCtxRetain(&context_, device), "context");
    check(cuCtxSetCurrent(context_), "context");
    operands_ = copied(slot_operands());
    uniforms_ = copied(slot_uniforms());
    check(cuMemAlloc(&results_, kBytes), "allocation");
    check(cuMemAlloc(&scratch_, std::size_t{kSlotRows} * kSlotScratchBytes), "allocation");
  }

  // Empty if the word faults.
  std::vector<std::uint32_t> execute(const SlotWord& word) {
    std::vector<std::uint64_t> code = slot_code(word, kBubble);
    if (code.size() * 8 > text_.bytes) {
      std::fprintf(stderr, "the code is too long\n");
      std::_Exit(1);
    }
    code.resize(text_.bytes / 8, 0);
    for (std::size_t i = 0; i + 1 < code.size(); i += 2) {
      if (code[i] == 0) {  // a branch to itself
        code[i] = 0xfffffffc00fc7947U;
        code[i + 1] = 0x000fc0000383ffffU;
      }
    }
    std::memcpy(image_.data() + text_.offset, code.data(), text_.bytes);
    CUmodule module;
    check(cuModuleLoadData(&module, image_.data()), "module");
    CUfunction kernel;
    check(cuModuleGetFunction(&kernel, module, "slot"), "kernel");
    SlotParameters parameters = slot_constants();
    check(cuMemsetD8(results_, 0, kBytes), "clearing");
    void* values[] = {&operands_, &uniforms_, &results_, &scratch_, parameters.constants};
    check(cuLaunchKernel(kernel, kSlotRows / 32, 1, 1, 32, 1, 1, 0x400, nullptr, values, nullptr), "launch");
    std::vector<std::uint32_t> results;
    if (cuCtxSynchronize() != CUDA_SUCCESS) {
      return results;
    }
    results.resize(kBytes / 4);
    check(cuMemcpyDtoH(results.data(), results_, kBytes), "results");
    check(cuModuleUnload(module), "unloading");
    return results;
  }

 private:
  static constexpr std::size_t kBytes = std::size_t{kSlotRows} * kSlotResultWords * 4;

  static CUdeviceptr copied(const std::vector<std::uint32_t>& words) {
    CUdeviceptr address = 0;
    check(cuMemAlloc(&address, words.size() * 4), "allocation");
    check(cuMemcpyHtoD(address, words.data(), words.size() * 4), "copy");
    return address;
  }

  std::vector<char> image_;
  Section text_;
  CUcontext context_ = nullptr;
  CUdeviceptr operands_ = 0;
  CUdeviceptr uniforms_ = 0;
  CUdeviceptr results_ = 0;
  CUdeviceptr scratch_ = 0;
};

void write_record(int to, std::uint32_t number, const std::vector<std::uint32_t>& results,
                  const std::vector<std::uint32_t>& of_nop) {
  std::vector<std::uint32_t> record = {number, results.empty() ? 1U : 0U, 0, 0, 0};
  if (!results.empty()) {
    const std::uint64_t hash = slot_hash(results.data());
    record[3] = static_cast<std::uint32_t>(hash);
    record[4] = static_cast<std::uint32_t>(hash >> 32U);
    for (std::uint32_t column = 0; column < kSlotResultWords; ++column) {
      bool differs = false;
      for (std::size_t i = column; i < results.size(); i += kSlotResultWords) {
        differs = differs || results[i] != of_nop[i];
      }
      if (differs) {
        record[2] |= 1U << column;
        for (std::size_t row = 0; row < kWrittenRows; ++row) {
          record.push_back(results[row * kSlotResultWords + column]);
        }
      }
    }
  }
  const auto bytes = static_cast<ssize_t>(record.size() * 4);
  if (write(to, record.data(), record.size() * 4) != bytes) {
    std::_Exit(1);
  }
}

// How many words with an opcode have faulted, in all processes: the rest of them is not tried, since a fault takes
// long.
class Faults {
 public:
  explicit Faults(const std::string& path) {
    const int file = open(path.c_str(), O_RDWR | O_CREAT, 0600);
    if (file < 0 || ftruncate(file, kOpcodes * sizeof(std::uint32_t)) != 0) {
      std::_Exit(1);
    }
    counts_ = static_cast<std::uint32_t*>(
        mmap(nullptr, kOpcodes * sizeof(std::uint32_t), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0));
  }
  bool are_many(const SlotWord& word) const { return counts_[opcode(word)] >= kMost; }
  void count(const SlotWord& word) { __atomic_fetch_add(&counts_[opcode(word)], 1U, __ATOMIC_SEQ_CST); }

 private:
  static constexpr std::size_t kOpcodes = 0x2000;
  static constexpr std::uint32_t kMost = 5;
  static std::size_t opcode(const SlotWord& word) { return (word.low & 0xfffU) | (word.high >> 27U & 1U) << 12U; }
  std::uint32_t* counts_ = nullptr;
};

// In a process of its own: the words from `first` on. Each record goes to the parent.
[[noreturn]] void execute_words(int to, const std::string& cubin, const std::vector<SlotWord>& words,
                                std::uint32_t first, std::uint32_t step, Faults& faults) {
  Device device(cubin);
  const std::vector<std::uint32_t> of_nop = device.execute({0x7918, 0, false});
  if (of_nop.empty()) {
    std::fprintf(stderr, "the kernel itself faults\n");
    std::_Exit(1);
  }
  write_record(to, ~0U, of_nop, std::vector<std::uint32_t>(of_nop.size()));
  for (std::uint32_t i = first; i < words.size(); i += step) {
    if (faults.are_many(words[i])) {
      continue;
    }
    const std::vector<std::uint32_t> results = device.execute(words[i]);
    if (results.empty()) {
      faults.count(words[i]);
    }
    write_record(to, i, results, of_nop);
    if (results.empty()) {
      std::_Exit(2);
    }
  }
  std::_Exit(0);
}

// Reads exactly so many bytes; gives up after a time without any.
bool read_all(int from, void* data, std::size_t bytes, unsigned seconds) {
  auto* to = static_cast<char*>(data);
  while (bytes != 0) {
    fd_set set;
    FD_ZERO(&set);
    FD_SET(from, &set);
    timeval limit = {static_cast<time_t>(seconds), 0};
    if (select(from + 1, &set, nullptr, nullptr, &limit) <= 0) {
      return false;
    }
    const ssize_t got = read(from, to, bytes);
    if (got <= 0) {
      return false;
    }
    to += got;
    bytes -= static_cast<std::size_t>(got);
  }
  return true;
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 7) {
    std::fprintf(stderr, "usage: record CUBIN WORDS PART PARTS OUTPUT FAULTS\n");
    return 2;
  }
  const std::vector<SlotWord> words = read_words(arguments[2]);
  const auto part = static_cast<std::uint32_t>(std::atoi(arguments[3]));
  const auto parts = static_cast<std::uint32_t>(std::atoi(arguments[4]));
  std::ofstream out(arguments[5], std::ios::binary);
  Faults faults(arguments[6]);
  bool has_nop = false;
  unsigned failures = 0;
  for (std::uint32_t next = part; next < words.size();) {
    int pipes[2];
    if (pipe(pipes) != 0) {
      return 1;
    }
    const pid_t child = fork();
    if (child == 0) {
      execute_words(pipes[1], arguments[1], words, next, parts, faults);
    }
    close(pipes[1]);
    std::uint32_t head[5];
    const std::uint32_t begin = next;
    bool started = false;
    bool faulted = false;
    constexpr unsigned kStart = 60;
    constexpr unsigned kHang = 6;
    while (read_all(pipes[0], head, sizeof head, started ? kHang : kStart)) {
      std::vector<std::uint32_t> columns(std::size_t{kWrittenRows} *
                                         static_cast<unsigned>(__builtin_popcount(head[2])));
      if (!read_all(pipes[0], columns.data(), columns.size() * 4, kHang)) {
        break;
      }
      const bool nop = head[0] == ~0U;
      started = true;
      if (!nop || !has_nop) {
        out.write(reinterpret_cast<const char*>(head), sizeof head);
        out.write(reinterpret_cast<const char*>(columns.data()), static_cast<std::streamsize>(columns.size() * 4));
        has_nop = true;
      }
      if (!nop) {
        next = head[0] + parts;
        faulted = head[1] != 0;
      }
    }
    int status = 0;
    constexpr int kTries = 200;
    constexpr useconds_t kBetween = 10000;
    int tries = 0;
    while (waitpid(child, &status, WNOHANG) != child) {
      if (++tries == kTries) {  // it hangs
        kill(child, SIGKILL);
        waitpid(child, &status, 0);
        break;
      }
      usleep(kBetween);
    }
    close(pipes[0]);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
      break;  // all words are done
    }
    if (!started && ++failures > 3) {
      std::fprintf(stderr, "part %u gives up\n", part);
      return 1;
    }
    if (started && !faulted && next < words.size() && next == begin) {  // it hung at once
      const std::uint32_t hung[5] = {next, 2, 0, 0, 0};
      out.write(reinterpret_cast<const char*>(hung), sizeof hung);
      next += parts;
    }
  }
  return 0;
}
