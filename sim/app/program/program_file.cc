#include "app/program/program_file.h"

#include <elf.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <vector>

#include "base/error.h"

namespace warpsim {

namespace {

namespace fs = std::filesystem;

// Why the path cannot be started; empty: it can.
std::string obstacle(const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  switch (status.type()) {
    case fs::file_type::regular:
      break;
    case fs::file_type::not_found:
      return "there is no such file";
    case fs::file_type::directory:
      return "is a folder, not a program";
    case fs::file_type::none:
      return "cannot be examined: " + error.message();
    default:
      return "is a device, pipe or socket, not a program";
  }
  if (::access(path.c_str(), X_OK) != 0) {
    return errno == EACCES ? "is not executable; if it is a program, use 'chmod +x'"
                           : std::string("is not executable: ") + std::strerror(errno);
  }
  return "";
}

std::string find_in_folders(const std::string& name, const std::string& search_path) {
  std::string refused;
  std::istringstream folders(search_path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    std::string candidate = (fs::path(folder.empty() ? "." : folder) / name).string();
    const std::string why = obstacle(candidate);
    if (why.empty()) {
      return candidate;
    }
    std::error_code error;
    if (refused.empty() && fs::exists(candidate, error)) {
      refused = fmt::format("{} {}", candidate, why);
    }
  }
  std::error_code error;
  const bool is_here = fs::exists(name, error);
  throw UserError(fmt::format("'{}': no folder of PATH has such a program{}{}", name,
                              refused.empty() ? "" : "; " + refused,
                              is_here ? fmt::format("; for the file in the working directory write ./{}", name) : ""));
}

std::string first_bytes(const std::string& path, std::size_t count) {
  std::string bytes(count, '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(bytes.data(), static_cast<std::streamsize>(count));
  bytes.resize(static_cast<std::size_t>(file.gcount()));
  return bytes;
}

// Of "#!/usr/bin/python3 -u".
std::string interpreter_of_script(const std::string& line) {
  std::istringstream words(line.substr(2));
  std::string interpreter;
  words >> interpreter;
  return interpreter;
}

// The loader that a dynamic program names; empty if there is none.
std::string loader_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  Elf64_Ehdr header{};
  file.read(reinterpret_cast<char*>(&header), sizeof header);
  for (int i = 0; file && i < header.e_phnum; ++i) {
    Elf64_Phdr segment{};
    file.seekg(static_cast<std::streamoff>(header.e_phoff + static_cast<std::uint64_t>(i) * sizeof segment));
    file.read(reinterpret_cast<char*>(&segment), sizeof segment);
    constexpr std::uint64_t kLongestPath = 4096;
    if (file && segment.p_type == PT_INTERP && segment.p_filesz <= kLongestPath) {
      std::string loader(segment.p_filesz, '\0');
      file.seekg(static_cast<std::streamoff>(segment.p_offset));
      file.read(loader.data(), static_cast<std::streamsize>(loader.size()));
      loader.resize(std::min(loader.find('\0'), loader.size()));
      return loader;
    }
  }
  return "";
}

}  // namespace

std::string find_program(const std::string& name, const std::string& search_path) {
  if (name.find('/') == std::string::npos) {
    return find_in_folders(name, search_path);
  }
  if (const std::string why = obstacle(name); !why.empty()) {
    throw UserError(fmt::format("'{}': {}", name, why));
  }
  return name;
}

std::string start_failure(const std::string& path, int error) {
  constexpr std::size_t kLongestLine = 256;
  const std::string begin = first_bytes(path, kLongestLine);
  const bool is_elf = begin.size() >= sizeof(Elf64_Ehdr) && std::memcmp(begin.data(), ELFMAG, SELFMAG) == 0;
  if (begin.starts_with("#!")) {
    const std::string interpreter = interpreter_of_script(begin.substr(0, begin.find('\n')));
    const std::string why = interpreter.empty() ? "is not named" : obstacle(interpreter);
    if (!why.empty()) {
      return fmt::format("'{}': the interpreter of this script, '{}', cannot be used: {}", path, interpreter, why);
    }
  } else if (is_elf && error == ENOENT) {
    const std::string loader = loader_of(path);
    return fmt::format("'{}': its loader, '{}', does not exist here", path, loader);
  } else if (is_elf && error == ENOEXEC) {
    return fmt::format("'{}': is a program for another machine, or damaged", path);
  } else if (error == ENOEXEC) {
    return fmt::format(
        "'{}': is {}; expected an ELF program, or a script whose first line names its interpreter, such as "
        "#!/bin/sh",
        path, begin.empty() ? "empty" : "not a program");
  }
  return fmt::format("'{}': cannot be started: {}", path, std::strerror(error));
}

}  // namespace warpsim
