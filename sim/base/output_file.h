// Output files that are either whole or absent.
//
// The content goes to a temporary file in the folder of the target. That file is created exclusively (O_EXCL, no link
// is followed) under a name that cannot be predicted, and with the permissions of the file that it replaces, or those
// of the umask. publish() flushes it to the disk and renames it, which is atomic. Until then the old file is
// untouched. A target that is a link is replaced by the file; the file that the link refers to is unchanged.
//
// The temporary file belongs to the process that created the object. In a forked copy of that process, writing and
// publishing have no effect, and the file is not removed.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/creating_process.h"

namespace warpsim {

// An unpredictable name in the folder of `target`.
std::string temporary_name(const std::string& target);

class OutputFile {
 public:
  // Creates the temporary file. Also throws UserError if the target is not a regular file (output_place.h).
  explicit OutputFile(const std::string& path) : OutputFile(path, temporary_name(path)) {}
  // The same with a temporary file of a given name on the file system of `path`. Removes an old one.
  OutputFile(std::string path, std::string temporary);
  // Removes the temporary file and SQLite's files beside it, unless it was published.
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  // Throws UserError, for example when the disk is full.
  void write(std::string_view bytes);
  // For libraries that write files by name.
  const std::string& temporary() const { return temporary_; }
  // Forces the temporary file to the disk, so that a full disk is noticed. Called by publish().
  void flush();
  void publish();

 private:
  [[noreturn]] void fail(int code) const;

  std::string path_;
  std::string temporary_;
  CreatingProcess creator_;
  int file_ = -1;
  bool flushed_ = false;
  bool published_ = false;
};

// Throws UserError: "PATH: cannot be written: REASON".
void write_output_file(const std::string& path, const std::string& content);

struct OutputContent {
  std::string path;
  std::string content;
};
// Publishes the files only after all of them are written. Throws UserError.
void write_output_files(const std::vector<OutputContent>& files);

// Forces `from`, which another process has written, to the disk and renames it to `to`. Throws UserError.
void publish_file(const std::string& from, const std::string& to);

// Removes the database and SQLite's files beside it. Does nothing if it does not exist.
void remove_database(const std::string& path);

}  // namespace warpsim
