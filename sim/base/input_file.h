// Input files: opened without waiting, and read only if they are regular files of a limited size.
//
// A pipe, a device, a socket or a folder is refused at once: reading it could block or never end. Links are
// followed, so /dev/stdin is accepted if it is redirected from a regular file.
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>

#include "base/error.h"

namespace warpsim {

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using FilePointer = std::unique_ptr<std::FILE, CloseFile>;

// Why `path` cannot be read as a regular file: "there is no such file", "it is a pipe" and so on. Empty if it can be
// read.
std::string input_fault(const std::string& path);

// Returns nothing and sets `fault` if it cannot be opened; `fault` is a text like that of input_fault().
FilePointer open_input(const std::string& path, std::string& fault);

constexpr std::uint64_t kInputLimitBytes = 1ULL << 30U;

// Reads the whole file. Returns false and sets `fault` if it cannot be read or is larger than `limit_bytes`.
bool read_input(const std::string& path, std::uint64_t limit_bytes, std::string& text, std::string& fault);

// The whole file. Throws Error: "PATH: cannot be read: FAULT; expected EXPECTED".
template <class Error = UserError>
std::string require_input(const std::string& path, const std::string& expected,
                          std::uint64_t limit_bytes = kInputLimitBytes) {
  std::string text;
  std::string fault;
  if (!read_input(path, limit_bytes, text, fault)) {
    throw Error(path + ": cannot be read: " + fault + "; expected " + expected);
  }
  return text;
}

}  // namespace warpsim
