#include "sweep/safe_files.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>

#include "base/error.h"

namespace warpsim {

namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const std::string& path, const std::string& what) {
  throw UserError(path + ": " + what + ": " + std::strerror(errno));
}

// Of a file or a folder.
void force_to_disk(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) {
    fail(path, "cannot be opened");
  }
  const int code = ::fsync(file);
  const int reason = errno;
  ::close(file);
  if (code != 0) {
    errno = reason;
    // Some file systems have nothing to force.
    if (reason != EINVAL && reason != ENOTSUP) {
      fail(path, "cannot be written to the disk");
    }
  }
}

std::string folder_of(const std::string& path) {
  const fs::path folder = fs::path(path).parent_path();
  return folder.empty() ? "." : folder.string();
}

}  // namespace

void publish_file(const std::string& from, const std::string& to) {
  force_to_disk(from);
  if (std::rename(from.c_str(), to.c_str()) != 0) {
    fail(to, "cannot be put in place");
  }
  force_to_disk(folder_of(to));
}

void write_whole(const std::string& path, const std::string& text) {
  const std::string partial = path + ".partial-" + std::to_string(::getpid());
  std::ofstream file(partial, std::ios::binary | std::ios::trunc);
  file << text;
  file.close();
  if (!file) {
    const int reason = errno;
    std::error_code ignored;
    fs::remove(partial, ignored);
    errno = reason;
    fail(path, "cannot be written");
  }
  publish_file(partial, path);
}

std::string read_whole(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  std::error_code ignored;
  if (!file || fs::is_directory(path, ignored)) {
    throw UserError(path + ": cannot be read");
  }
  return text.str();
}

void remove_database(const std::string& path) {
  std::error_code ignored;
  for (const char* suffix : {"", "-wal", "-shm", "-journal"}) {
    fs::remove(path + suffix, ignored);
  }
}

}  // namespace warpsim
