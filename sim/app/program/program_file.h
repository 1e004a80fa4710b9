// Finds the file of a program, and the reason if it cannot be started.
#pragma once

#include <string>

namespace warpsim {

// The file that a shell would start for `name`: the name itself if it contains a '/', otherwise the first executable
// file of that name in the folders of `search_path` (the format of PATH). Throws UserError that names the obstacle: no
// file, a folder, a device, a file that is not executable.
std::string find_program(const std::string& name, const std::string& search_path);

// Why starting `path` failed with `error` (errno of execve): a script whose interpreter is missing, a program whose
// loader is missing, a file for another machine or of an unknown kind.
std::string start_failure(const std::string& path, int error);

}  // namespace warpsim
