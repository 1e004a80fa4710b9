#include "base/output_folder.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include "base/error.h"
#include "base/output_file.h"

namespace warpsim {

namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const std::string& path, const std::string& why) {
  throw UserError(path + ": cannot be created: " + why + "; expected the name of a new folder");
}

}  // namespace

OutputFolder::OutputFolder(std::string path) : path_(std::move(path)) {
  while (path_.size() > 1 && path_.back() == '/') {
    path_.pop_back();
  }
  std::error_code error;
  if (fs::exists(fs::symlink_status(path_, error))) {
    fail(path_, "it already exists");
  }
  temporary_ = temporary_name(path_);
  if (::mkdir(temporary_.c_str(), 0777) != 0) {
    fail(path_, std::strerror(errno));
  }
}

OutputFolder::~OutputFolder() {
  if (!published_ && creator_.is_this()) {
    std::error_code ignored;
    fs::remove_all(temporary_, ignored);
  }
}

void OutputFolder::publish() {
  if (!creator_.is_this()) {
    return;
  }
  if (::renameat2(AT_FDCWD, temporary_.c_str(), AT_FDCWD, path_.c_str(), RENAME_NOREPLACE) != 0) {
    // Some file systems do not support the flag. Without it a file or a non-empty folder is still refused.
    if (errno != EINVAL || std::rename(temporary_.c_str(), path_.c_str()) != 0) {
      fail(path_, errno == EEXIST ? "it already exists" : std::strerror(errno));
    }
  }
  published_ = true;
}

}  // namespace warpsim
