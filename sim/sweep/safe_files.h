// Files that are either whole or absent: written under another name of the same folder or file system, then renamed.
#pragma once

#include <string>

namespace warpsim {

// Forces `from` to the disk and gives it the name `to`, in place of what is there. Throws UserError.
void publish_file(const std::string& from, const std::string& to);

// Writes `text` to a file beside `path` and publishes it. Throws UserError.
void write_whole(const std::string& path, const std::string& text);

// A file that must be there. Throws UserError.
std::string read_whole(const std::string& path);

// The database and what SQLite may have left beside it. Nothing happens if there is none.
void remove_database(const std::string& path);

// Removes a database that was not published.
class ScratchDatabase {
 public:
  explicit ScratchDatabase(std::string path) : path_(std::move(path)) {}
  ~ScratchDatabase() { remove_database(path_); }
  ScratchDatabase(const ScratchDatabase&) = delete;
  ScratchDatabase& operator=(const ScratchDatabase&) = delete;

 private:
  std::string path_;
};

}  // namespace warpsim
