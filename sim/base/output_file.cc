#include "base/output_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>

#include "base/error.h"
#include "base/output_place.h"
#include "base/random_name.h"

namespace warpsim {

namespace {

namespace fs = std::filesystem;

constexpr mode_t kNewFile = 0666;       // before the umask is applied
constexpr mode_t kPermissions = 0777U;  // of an old file, without set-user-ID and the like

std::string folder_of(const std::string& path) {
  const fs::path folder = fs::path(path).parent_path();
  return folder.empty() ? "." : folder.string();
}

// 0, or the error. Some file systems do not support fsync on a folder.
int force_to_disk(int file) {
  return ::fsync(file) == 0 || errno == EINVAL || errno == ENOTSUP ? 0 : errno;
}

void force_folder(const std::string& path) {
  const int folder = ::open(folder_of(path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder >= 0) {
    (void)force_to_disk(folder);  // the file already has its name, so nothing can be undone
    ::close(folder);
  }
}

}  // namespace

std::string temporary_name(const std::string& target) {
  constexpr std::size_t kDigits = 16;
  return (fs::path(folder_of(target)) / (".warpsim-" + random_hex(kDigits))).string();
}

OutputFile::OutputFile(std::string path, std::string temporary)
    : path_(std::move(path)), temporary_(std::move(temporary)) {
  require_output_place(path_);
  remove_database(temporary_);
  file_ = ::open(temporary_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, kNewFile);
  if (file_ < 0) {
    fail(errno);
  }
  struct stat old {};
  if (::lstat(path_.c_str(), &old) == 0 && S_ISREG(old.st_mode)) {
    (void)::fchmod(file_, old.st_mode & kPermissions);
  }
}

OutputFile::~OutputFile() {
  if (file_ >= 0) {
    ::close(file_);
  }
  if (!published_ && creator_.is_this()) {
    remove_database(temporary_);
  }
}

void OutputFile::fail(int code) const {
  throw UserError(path_ + ": cannot be written: " + std::strerror(code));
}

void OutputFile::write(std::string_view bytes) {
  if (!creator_.is_this()) {
    return;
  }
  flushed_ = false;
  while (!bytes.empty()) {
    const ssize_t written = ::write(file_, bytes.data(), bytes.size());
    if (written < 0 && errno != EINTR) {
      fail(errno);
    }
    bytes.remove_prefix(written < 0 ? 0 : static_cast<std::size_t>(written));
  }
}

void OutputFile::flush() {
  if (!creator_.is_this()) {
    return;
  }
  if (const int code = flushed_ ? 0 : force_to_disk(file_); code != 0) {
    fail(code);
  }
  flushed_ = true;
}

void OutputFile::publish() {
  if (!creator_.is_this()) {
    return;
  }
  flush();
  if (::close(std::exchange(file_, -1)) != 0) {
    fail(errno);
  }
  if (std::rename(temporary_.c_str(), path_.c_str()) != 0) {
    fail(errno);
  }
  published_ = true;
  force_folder(path_);
}

void write_output_file(const std::string& path, const std::string& content) {
  write_output_files({{path, content}});
}

void write_output_files(const std::vector<OutputContent>& files) {
  std::vector<std::unique_ptr<OutputFile>> outputs;
  for (const OutputContent& file : files) {
    outputs.push_back(std::make_unique<OutputFile>(file.path));
    outputs.back()->write(file.content);
    outputs.back()->flush();
  }
  for (const std::unique_ptr<OutputFile>& output : outputs) {
    output->publish();
  }
}

void publish_file(const std::string& from, const std::string& to) {
  const int file = ::open(from.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) {
    throw UserError(from + ": cannot be opened: " + std::strerror(errno));
  }
  const int code = force_to_disk(file);
  ::close(file);
  if (code != 0) {
    throw UserError(from + ": cannot be written to the disk: " + std::strerror(code));
  }
  if (std::rename(from.c_str(), to.c_str()) != 0) {
    throw UserError(to + ": cannot be written: " + std::strerror(errno));
  }
  force_folder(to);
}

void remove_database(const std::string& path) {
  std::error_code ignored;
  for (const char* suffix : {"", "-wal", "-shm", "-journal"}) {
    fs::remove(path + suffix, ignored);
  }
}

}  // namespace warpsim
