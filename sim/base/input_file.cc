#include "base/input_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

namespace warpsim {

namespace {

std::string kind_fault(mode_t mode) {
  switch (mode & static_cast<mode_t>(S_IFMT)) {
    case S_IFREG:
      return {};
    case S_IFDIR:
      return "it is a folder, not a file";
    case S_IFIFO:
      return "it is a pipe, not a file";
    case S_IFSOCK:
      return "it is a socket, not a file";
    default:
      return "it is a device, not a file";
  }
}

std::string system_fault(int code) {
  return code == ENOENT ? "there is no such file" : std::strerror(code);
}

}  // namespace

FilePointer open_input(const std::string& path, std::string& fault) {
  if (path.find('\0') != std::string::npos) {
    fault = "its name contains a null character";
    return nullptr;
  }
  struct stat status {};
  // A device is not opened: opening it can already have an effect (a tape rewinds).
  if (::stat(path.c_str(), &status) != 0) {
    fault = system_fault(errno);
    return nullptr;
  }
  fault = kind_fault(status.st_mode);
  if (!fault.empty()) {
    return nullptr;
  }
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (descriptor < 0) {
    fault = system_fault(errno);
    return nullptr;
  }
  // The file may have been replaced since the first check.
  if (::fstat(descriptor, &status) != 0 || !(fault = kind_fault(status.st_mode)).empty()) {
    fault = fault.empty() ? system_fault(errno) : fault;
    ::close(descriptor);
    return nullptr;
  }
  FilePointer file(::fdopen(descriptor, "rb"));
  if (file == nullptr) {
    fault = system_fault(errno);
    ::close(descriptor);
  }
  return file;
}

std::string input_fault(const std::string& path) {
  std::string fault;
  open_input(path, fault);
  return fault;
}

bool read_input(const std::string& path, std::uint64_t limit_bytes, std::string& text, std::string& fault) {
  const FilePointer file = open_input(path, fault);
  if (file == nullptr) {
    return false;
  }
  text.clear();
  std::array<char, 1U << 16U> buffer{};
  while (const std::size_t bytes = std::fread(buffer.data(), 1, buffer.size(), file.get())) {
    // The size in the status is not a bound for a file in /proc or one that grows.
    if (text.size() + bytes > limit_bytes) {
      fault = "it is larger than " + std::to_string(limit_bytes >> 10U) + " KiB";
      return false;
    }
    text.append(buffer.data(), bytes);
  }
  if (std::ferror(file.get()) != 0) {
    fault = system_fault(errno);
    return false;
  }
  return true;
}

}  // namespace warpsim
