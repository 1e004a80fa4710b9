#include "base/input_file.h"

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>

#include "support/temporary_folder.h"

namespace warpsim {
namespace {

TEST_CASE("input file: a regular file is read completely, also an empty one and one behind a link") {
  const TemporaryFolder folder;
  CHECK(require_input(folder.write("empty", ""), "a file").empty());
  const std::string text(200'000, 'x');
  CHECK(require_input(folder.write("long", text), "a file") == text);
  std::filesystem::create_symlink(folder.at("long"), folder.at("link"));
  CHECK(require_input(folder.at("link"), "a file") == text);
  CHECK(input_fault(folder.at("link")).empty());
}

TEST_CASE("input file: a file that is not regular is refused without waiting, with its kind") {
  const TemporaryFolder folder;
  REQUIRE(::mkfifo(folder.at("pipe").c_str(), 0600) == 0);
  CHECK(input_fault(folder.at("pipe")) == "it is a pipe, not a file");
  CHECK(input_fault(folder.at(".")) == "it is a folder, not a file");
  CHECK(input_fault("/dev/zero") == "it is a device, not a file");
  CHECK(input_fault(folder.at("none")) == "there is no such file");
  CHECK(input_fault(std::string("a\0b", 3)) == "its name contains a null character");
  std::filesystem::create_symlink(folder.at("pipe"), folder.at("link"));
  CHECK(input_fault(folder.at("link")) == "it is a pipe, not a file");
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  folder.at("socket").copy(address.sun_path, sizeof address.sun_path - 1);
  const int socket = ::socket(AF_UNIX, SOCK_STREAM, 0);
  REQUIRE(::bind(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
  CHECK(input_fault(folder.at("socket")) == "it is a socket, not a file");
  ::close(socket);
}

TEST_CASE("input file: the limit applies to the read bytes, and the error is complete") {
  const TemporaryFolder folder;
  const std::string path = folder.write("four", "1234");
  std::string text;
  std::string fault;
  CHECK(read_input(path, 4, text, fault));
  CHECK_FALSE(read_input(folder.write("long", std::string(2049, 'x')), 2048, text, fault));
  CHECK(fault == "it is larger than 2 KiB");
  CHECK_THROWS_WITH(require_input<ConfigError>(folder.at("none"), "a sweep"),
                    folder.at("none") + ": cannot be read: there is no such file; expected a sweep");
  CHECK_THROWS_AS(require_input<ConfigError>(folder.at("none"), "a sweep"), ConfigError);
}

}  // namespace
}  // namespace warpsim
