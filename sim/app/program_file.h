// The file behind the name of a program, and what is wrong with it if it cannot be started.
#pragma once

#include <string>

namespace warpsim {

// The file that a shell would start for `name`: the name itself if it holds a '/', else the first executable file of
// that name in the folders of `search_path`, as PATH lists them. Throws UserError that says what there is instead: no
// file, a folder, a device, a file that is not executable.
std::string find_program(const std::string& name, const std::string& search_path);

// Why starting `path` failed with `error` (errno of execve): a script whose interpreter is missing, a program whose
// loader is missing, a file of another machine or of no kind that the system can start.
std::string start_failure(const std::string& path, int error);

}  // namespace warpsim
