#include "app/program/program_file.h"

#include <sys/stat.h>

#include <catch2/catch.hpp>
#include <cerrno>
#include <filesystem>

#include "base/error.h"
#include "support/temporary_folder.h"

namespace warpsim {
namespace {

std::string make_executable(const std::string& path) {
  std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  return path;
}

TEST_CASE("a program is searched for like in a shell") {
  const TemporaryFolder folder;
  make_executable(folder.write("first/tool", "#!/bin/sh\n"));
  make_executable(folder.write("second/tool", "#!/bin/sh\n"));
  folder.write("data/tool", "text");
  const std::string path = folder.at("data") + ":/nowhere:" + folder.at("first") + ":" + folder.at("second");
  CHECK(find_program("tool", path) == folder.at("first/tool"));
  CHECK(find_program("sh", "/nowhere:/bin") == "/bin/sh");
  CHECK(find_program("/bin/sh", "") == "/bin/sh");
}

TEST_CASE("the message for a file that is not a program names its kind") {
  const TemporaryFolder folder;
  const std::string data = folder.write("data/tool", "text");
  const std::string pipe = folder.at("pipe");
  REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  CHECK_THROWS_WITH(find_program(folder.at("none"), ""), "'" + folder.at("none") + "': there is no such file");
  CHECK_THROWS_WITH(find_program(data, ""), "'" + data + "': is not executable; if it is a program, use 'chmod +x'");
  CHECK_THROWS_WITH(find_program("/bin/", ""), "'/bin/': is a folder, not a program");
  CHECK_THROWS_WITH(find_program(pipe, ""), "'" + pipe + "': is a device, pipe or socket, not a program");
  CHECK_THROWS_WITH(find_program(data + "/x", ""), "'" + data + "/x': there is no such file");
  CHECK_THROWS_WITH(find_program("no_such_tool", "/nowhere:/bin"),
                    "'no_such_tool': no folder of PATH has such a program");
  CHECK_THROWS_WITH(find_program("tool", "/nowhere:" + folder.at("data")),
                    "'tool': no folder of PATH has such a program; " + data +
                        " is not executable; if it is a program, use 'chmod +x'");
}

TEST_CASE("a file that the system cannot start has its own message") {
  const TemporaryFolder folder;
  const auto failure = [&](const std::string& content, int error) {
    const std::string path = folder.write("tool", content);
    const std::string text = start_failure(path, error);
    const std::string begin = "'" + path + "': ";
    REQUIRE(text.starts_with(begin));
    return text.substr(begin.size());
  };
  const std::string expected =
      "; expected an ELF program, or a script whose first line names its interpreter, such as #!/bin/sh";
  CHECK(failure("", ENOEXEC) == "is empty" + expected);
  CHECK(failure("echo yes\n", ENOEXEC) == "is not a program" + expected);
  CHECK(failure("#! /no/such/shell -e\n", ENOENT) ==
        "the interpreter of this script, '/no/such/shell', cannot be used: there is no such file");
  CHECK(failure("#!\n", ENOEXEC) == "the interpreter of this script, '', cannot be used: is not named");
  CHECK(failure("#!/bin\n", EACCES) ==
        "the interpreter of this script, '/bin', cannot be used: is a folder, not a program");
  CHECK(failure("#!/bin/sh\n", E2BIG) == "cannot be started: Argument list too long");
  CHECK(failure(std::string("\177ELF") + std::string(100, '\0'), ENOEXEC) ==
        "is a program for another machine, or damaged");
  // A copy of this test program, with another loader.
  std::string program = TemporaryFolder::read("/proc/self/exe");
  const std::size_t loader = program.find("/lib64/ld-linux");
  if (loader != std::string::npos) {
    program[loader + 1] = 'x';
    CHECK(failure(program, ENOENT).find("its loader, '/xib64/ld-linux") == 0);
  }
}

}  // namespace
}  // namespace warpsim
