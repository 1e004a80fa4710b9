#include "app/commands/report_command.h"

#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <sstream>

#include "app/options/options.h"
#include "base/error.h"
#include "support/report_database.h"
#include "support/temporary_folder.h"
#include "support/warpsim_process.h"

using namespace warpsim;

namespace {

std::string made_database(const TemporaryFolder& folder) {
  Database database(folder.at("r.db"), Database::Mode::kCreate);
  fill_report_database(database);
  return database.path();
}

TEST_CASE("report takes databases, runs, a title and an output page") {
  const auto options =
      parse_report({"a.db", "b.db", "-o", "r.html", "--runs", "x*", "--title", "T", "--series-points", "50"});
  REQUIRE(options);
  CHECK(options->report.databases == std::vector<std::string>{"a.db", "b.db"});
  CHECK(options->out == "r.html");
  CHECK(options->report.runs == "x*");
  CHECK(options->report.title == "T");
  CHECK(options->report.series_points == 50);
  CHECK_FALSE(parse_report({"--help"}));
  CHECK_THROWS_WITH(parse_report({"a.db"}), Catch::Contains("--out is missing"));
  CHECK_THROWS_WITH(parse_report({"-o", "r.html"}), Catch::Contains("no results database given"));
  CHECK_THROWS_WITH(parse_report({"a.db", "-o", "r.html", "--series-points", "1"}), Catch::Contains("from 2"));
}

TEST_CASE("serve takes a port, and has a default one") {
  CHECK(parse_serve({"a.db"})->port == 8017);
  CHECK(parse_serve({"a.db", "--port", "0"})->port == 0);
  CHECK_THROWS_WITH(parse_serve({"a.db", "--port", "65536"}), Catch::Contains("from 0 to 65535"));
  CHECK_THROWS_WITH(parse_serve({"a.db", "--port", "http"}), Catch::Contains("expected a whole number"));
  CHECK_THROWS_AS(parse_serve({}), UsageError);
}

TEST_CASE("report writes its page, and replaces an older one") {
  const TemporaryFolder folder;
  const std::string page = folder.write("r.html", "old");
  ReportCommandOptions options;
  options.report.databases = {made_database(folder)};
  options.out = page;
  std::ostringstream out;
  CHECK(report_command(options, out) == 0);
  CHECK(out.str().find("The report is in " + page) == 0);
  CHECK(TemporaryFolder::read(page).rfind("<!DOCTYPE html>", 0) == 0);
}

TEST_CASE("invalid input of report is one clear error, and leaves no page") {
  const TemporaryFolder folder;
  const std::string database = made_database(folder);
  const std::string page = folder.at("r.html");
  const auto refused = [&page](const std::string& words, const std::string& why) {
    const Outcome outcome = warpsim::warpsim("report " + words);
    CHECK(outcome.code == 2);
    CHECK(outcome.output.find(why) != std::string::npos);
    CHECK_FALSE(std::filesystem::exists(page));
  };
  refused(folder.at("absent.db") + " -o " + page, "absent.db");
  refused(folder.write("text.db", "text") + " -o " + page, "text.db");
  refused(database + " -o " + page + " --runs 'no*'", "--runs 'no*': no run of this name");
  refused(database + " -o " + database, "that is a database that is read");
  refused(database + " -o " + folder.at("none/r.html"), "cannot be written");
}

TEST_CASE("a port in use ends serve with one clear error") {
  const TemporaryFolder folder;
  const int listener = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  REQUIRE(::bind(listener, reinterpret_cast<sockaddr*>(&address), size) == 0);
  REQUIRE(::listen(listener, 1) == 0);
  REQUIRE(::getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size) == 0);
  const Outcome outcome =
      warpsim::warpsim("serve " + made_database(folder) + " --port " + std::to_string(ntohs(address.sin_port)));
  ::close(listener);
  CHECK(outcome.code == 2);
  CHECK(outcome.output.find("is in use or not allowed") != std::string::npos);
}

}  // namespace
