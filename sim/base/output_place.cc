#include "base/output_place.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "base/error.h"

namespace warpsim {

namespace {

namespace fs = std::filesystem;

constexpr const char* kDatabaseSuffixes[] = {"", "-wal", "-shm", "-journal"};

std::vector<std::string> names_of(const std::string& path, OutputPlaces::Kind kind) {
  std::vector<std::string> names;
  for (const char* suffix : kDatabaseSuffixes) {
    names.push_back(path + suffix);
    if (kind == OutputPlaces::Kind::kFile) {
      break;
    }
  }
  return names;
}

// Whether files of this folder refer to system objects (/dev, /proc).
bool is_system_folder(const fs::path& folder) {
  const std::string text = folder.string();
  return text == "/dev" || text == "/proc" || text.starts_with("/proc/") || text == "/sys" || text.starts_with("/sys/");
}

fs::path canonical_of(const fs::path& path) {
  constexpr int kMostLinks = 40;  // as many as the system follows
  std::error_code error;
  fs::path place = fs::absolute(path, error);
  // A link to a file that does not exist yet names that file.
  for (int i = 0; i < kMostLinks && fs::is_symlink(place, error) && !fs::exists(place, error); ++i) {
    place = place.parent_path() / fs::read_symlink(place, error);
  }
  const fs::path canonical = fs::weakly_canonical(place, error);
  return (error ? place : canonical).lexically_normal();
}

const char* kind_name(mode_t mode) {
  return S_ISDIR(mode) ? "a folder" : S_ISFIFO(mode) ? "a pipe" : S_ISSOCK(mode) ? "a socket" : "a device";
}

}  // namespace

void require_output_place(const std::string& path) {
  if (path.empty() || path.find('\0') != std::string::npos) {
    throw UserError("'" + path + "': cannot be written: it is not the name of a file");
  }
  const auto fail = [&path](const std::string& why) {
    throw UserError(path + ": cannot be written: " + why + "; expected the name of a new file or of a regular one");
  };
  struct stat status {};
  if (::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode)) {
    fail(std::string("it is ") + kind_name(status.st_mode));
  }
  const fs::path parent = fs::path(path).parent_path();
  if (is_system_folder(canonical_of(parent.empty() ? "." : parent)) ||
      is_system_folder(canonical_of(path).parent_path())) {
    fail("it is a name of the system");
  }
  std::error_code error;
  if (!parent.empty() && !fs::is_directory(parent, error)) {
    throw UserError(path + ": cannot be written: there is no folder " + parent.string());
  }
  if (::access(path.c_str(), F_OK) == 0 && ::access(path.c_str(), W_OK) != 0) {
    fail(std::strerror(errno));
  }
}

OutputPlaces::Place OutputPlaces::place_of(const std::string& path, const std::string& what) {
  Place place{canonical_of(path).string(), {}, what};
  struct stat status {};
  if (::stat(path.c_str(), &status) == 0) {
    place.file = {status.st_dev, status.st_ino};
  }
  return place;
}

void OutputPlaces::add(const std::string& path, const std::string& what, Kind kind) {
  for (const std::string& name : names_of(path, kind)) {
    places_.push_back(place_of(name, what));
  }
}

void OutputPlaces::add_input(const std::string& path, const std::string& what, Kind kind) {
  add(path, what, kind);
}

void OutputPlaces::add_output(const std::string& path, const std::string& option, Kind kind) {
  if (path.empty()) {
    return;
  }
  for (const std::string& name : names_of(path, kind)) {
    const Place place = place_of(name, "");
    for (const Place& other : places_) {
      if (place.same(other)) {
        throw UsageError(fmt::format("{} '{}': that is {}; expected a file of its own", option, path, other.what));
      }
    }
  }
  require_output_place(path);
  add(path, "what " + option + " writes", kind);
}

}  // namespace warpsim
