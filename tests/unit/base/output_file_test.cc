#include "base/output_file.h"

#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <csignal>
#include <filesystem>
#include <memory>
#include <set>

#include "base/error.h"
#include "base/output_folder.h"
#include "support/temporary_folder.h"

namespace warpsim {
namespace {

namespace fs = std::filesystem;

std::set<std::string> names_in(const TemporaryFolder& folder) {
  std::set<std::string> names;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder.at("."))) {
    names.insert(entry.path().filename().string());
  }
  return names;
}

unsigned permissions_of(const std::string& path) {
  struct stat status {};
  REQUIRE(::lstat(path.c_str(), &status) == 0);
  return status.st_mode & 07777U;
}

// The output of a process whose files may have `bytes` bytes: its writes fail like those to a full disk.
template <class Work>
int exit_code_with_limit(rlim_t bytes, const Work& work) {
  const pid_t child = ::fork();
  if (child == 0) {
    const rlimit limit = {bytes, bytes};
    std::signal(SIGXFSZ, SIG_IGN);
    ::setrlimit(RLIMIT_FSIZE, &limit);
    try {
      work();
    } catch (const UserError& error) {
      ::_exit(std::string(error.what()).find(": cannot be written: ") == std::string::npos ? 3 : 2);
    }
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST_CASE("output file: the target is the old file until the new one is published") {
  const TemporaryFolder folder;
  const std::string path = folder.write("page.html", "old");
  {
    OutputFile file(path);
    file.write("new");
    CHECK(TemporaryFolder::read(path) == "old");
    CHECK(fs::path(file.temporary()).parent_path() == fs::path(path).parent_path());
    file.publish();
    CHECK(TemporaryFolder::read(path) == "new");
  }
  {
    OutputFile file(path);
    file.write("given up");
  }
  CHECK(TemporaryFolder::read(path) == "new");
  CHECK(names_in(folder) == std::set<std::string>{"page.html"});
}

TEST_CASE("output file: names cannot be predicted, and an existing link is not followed") {
  const TemporaryFolder folder;
  CHECK(temporary_name(folder.at("a")) != temporary_name(folder.at("a")));
  const std::string victim = folder.write("victim", "kept");
  fs::create_symlink(victim, folder.at("scratch"));
  OutputFile file(folder.at("a"), folder.at("scratch"));
  file.write("x");
  file.publish();
  CHECK(TemporaryFolder::read(victim) == "kept");
  CHECK(TemporaryFolder::read(folder.at("a")) == "x");
}

TEST_CASE("output file: a target that is a link is replaced, its target is kept") {
  const TemporaryFolder folder;
  const std::string kept = folder.write("kept", "kept");
  fs::create_symlink(kept, folder.at("link"));
  write_output_file(folder.at("link"), "new");
  CHECK(TemporaryFolder::read(kept) == "kept");
  CHECK_FALSE(fs::is_symlink(folder.at("link")));
  CHECK(TemporaryFolder::read(folder.at("link")) == "new");
}

TEST_CASE("output file: permissions are those of the umask, or of the file that is replaced") {
  const TemporaryFolder folder;
  const mode_t mask = ::umask(027);
  write_output_file(folder.at("new"), "");
  ::umask(mask);
  CHECK(permissions_of(folder.at("new")) == 0640);
  const std::string old = folder.write("old", "");
  ::chmod(old.c_str(), 0604);
  write_output_file(old, "x");
  CHECK(permissions_of(old) == 0604);
}

// Lets a copy of the process do something and end.
template <class Work>
void in_copy(const Work& work) {
  const pid_t child = ::fork();
  if (child == 0) {
    work();
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  REQUIRE(WIFEXITED(status));
  REQUIRE(WEXITSTATUS(status) == 0);
}

TEST_CASE("output file: a forked copy of the process does not change the file") {
  const TemporaryFolder folder;
  const std::string path = folder.write("a", "old");
  auto file = std::make_unique<OutputFile>(path);
  file->write("of the first process");
  in_copy([&] {
    file->write(", of its copy");
    file->publish();
  });
  CHECK(TemporaryFolder::read(path) == "old");
  in_copy([&] { file.reset(); });
  CHECK(TemporaryFolder::read(file->temporary()) == "of the first process");
  file->publish();
  CHECK(TemporaryFolder::read(path) == "of the first process");
}

TEST_CASE("output folder: a forked copy of the process does not change the folder") {
  const TemporaryFolder folder;
  auto made = std::make_unique<OutputFolder>(folder.at("made"));
  in_copy([&] { made->publish(); });
  CHECK_FALSE(fs::exists(folder.at("made")));
  in_copy([&] { made.reset(); });
  CHECK(fs::exists(made->temporary()));
  made->publish();
  CHECK(fs::exists(folder.at("made")));
}

TEST_CASE("output file: a full disk leaves only the old file") {
  const TemporaryFolder folder;
  const std::string path = folder.write("a.csv", "old");
  const std::string long_text(100'000, 'x');
  CHECK(exit_code_with_limit(4096, [&] { write_output_file(path, long_text); }) == 2);
  // No file of several is published before all are written.
  CHECK(exit_code_with_limit(4096, [&] {
          write_output_files({{folder.at("a.schema.json"), "x"}, {path, long_text}});
        }) == 2);
  CHECK(TemporaryFolder::read(path) == "old");
  CHECK(names_in(folder) == std::set<std::string>{"a.csv"});
  CHECK(exit_code_with_limit(4096, [&] { write_output_file(path, "short"); }) == 0);
  CHECK(TemporaryFolder::read(path) == "short");
}

TEST_CASE("output file: a missing folder and a folder as a target are errors") {
  const TemporaryFolder folder;
  CHECK_THROWS_WITH(write_output_file(folder.at("no/a.txt"), "x"),
                    folder.at("no/a.txt") + ": cannot be written: there is no folder " + folder.at("no"));
  CHECK_THROWS_AS(write_output_file(folder.at("."), "x"), UserError);
  CHECK_THROWS_WITH(publish_file(folder.at("none"), folder.at("b")), Catch::Contains("none: cannot be opened"));
}

TEST_CASE("output folder: it appears complete, and an existing one is never replaced") {
  const TemporaryFolder folder;
  {
    OutputFolder trace(folder.at("trace/"));
    CHECK_FALSE(fs::exists(folder.at("trace")));
    CHECK(permissions_of(trace.temporary()) != 0);
    trace.publish();
  }
  CHECK(fs::is_directory(folder.at("trace")));
  CHECK_THROWS_WITH(OutputFolder(folder.at("trace")), Catch::Contains("it already exists"));
  { const OutputFolder given_up(folder.at("other")); }
  {
    // Another process was faster.
    OutputFolder late(folder.at("late"));
    fs::create_directory(folder.at("late"));
    CHECK_THROWS_WITH(late.publish(), Catch::Contains("it already exists"));
  }
  CHECK(names_in(folder) == std::set<std::string>{"trace", "late"});
}

}  // namespace
}  // namespace warpsim
