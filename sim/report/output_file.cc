#include "report/output_file.h"

#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "base/error.h"

namespace warpsim {

void write_output_file(const std::string& path, const std::string& content) {
  namespace fs = std::filesystem;
  std::error_code error;
  // A device or a pipe has no place beside it, and nothing that could be left half written.
  if (const fs::file_status status = fs::status(path, error); fs::exists(status) && !fs::is_regular_file(status)) {
    std::ofstream file(path, std::ios::binary);
    file << content;
    file.close();
    if (!file) {
      throw UserError(path + ": cannot be written");
    }
    return;
  }
  const std::string temporary = path + ".part" + std::to_string(::getpid());
  std::ofstream file(temporary, std::ios::binary);
  file << content;
  file.close();
  bool written = !file.fail();
  if (written) {
    fs::rename(temporary, path, error);
    written = !error;
  }
  if (!written) {
    fs::remove(temporary, error);
    throw UserError(path + ": cannot be written");
  }
}

}  // namespace warpsim
