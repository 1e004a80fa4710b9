// A new folder that is either whole or absent: made under a name that cannot be predicted beside the target, and
// renamed when all its files are written. A target that exists is refused; it is never replaced. A copy of the process
// (fork) leaves the folder alone.
#pragma once

#include <string>

#include "base/creating_process.h"

namespace warpsim {

class OutputFolder {
 public:
  // Throws UserError.
  explicit OutputFolder(std::string path);
  // Removes the folder unless it was published.
  ~OutputFolder();
  OutputFolder(const OutputFolder&) = delete;
  OutputFolder& operator=(const OutputFolder&) = delete;

  const std::string& path() const { return path_; }
  // Where the files go until then.
  const std::string& temporary() const { return temporary_; }
  // Throws UserError.
  void publish();

 private:
  std::string path_;
  std::string temporary_;
  CreatingProcess creator_;
  bool published_ = false;
};

}  // namespace warpsim
