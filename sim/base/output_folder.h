// A new folder that is either whole or absent: created under an unpredictable name beside the target, and renamed when
// all its files are written. A target that exists is refused; it is never replaced.
// A forked copy of the process leaves the folder unchanged.
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
  // The temporary folder that receives the files until then.
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
