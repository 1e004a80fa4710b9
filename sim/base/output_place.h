// Decides where a command may write.
//
// An output must be a regular file, or not exist yet. It must not be a file that the command reads, nor another of its
// outputs: not by the same name, by another spelling of it, by a symbolic or a hard link, nor before the file exists.
// Files that SQLite keeps beside a database (-wal, -shm, -journal) belong to the database.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace warpsim {

// Throws UserError if `path` is a folder, a device, a pipe, a socket, a write-protected file, or a name in
// /dev or /proc (a file that /dev/stdout is redirected to cannot be replaced by another).
void require_output_place(const std::string& path);

class OutputPlaces {
 public:
  enum class Kind : unsigned char { kFile, kDatabase };

  // What the command reads. `what` completes "that is ...": "the trace". A file that does not exist is accepted.
  void add_input(const std::string& path, const std::string& what, Kind kind = Kind::kFile);
  // What the command writes; `option` names it in messages: "--out". An empty path is no output. Throws UsageError if
  // `path` is an input or an earlier output, UserError as require_output_place() does.
  void add_output(const std::string& path, const std::string& option, Kind kind = Kind::kFile);

 private:
  struct Place {
    std::string canonical;                                          // absolute, without links where it exists
    std::optional<std::pair<std::uint64_t, std::uint64_t>> file{};  // device and inode, if it exists
    std::string what;

    bool same(const Place& other) const {
      return file && other.file ? file == other.file : canonical == other.canonical;
    }
  };
  static Place place_of(const std::string& path, const std::string& what);
  void add(const std::string& path, const std::string& what, Kind kind);

  std::vector<Place> places_;
};

}  // namespace warpsim
