#include "report/report_server.h"

#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <chrono>
#include <filesystem>
#include <list>
#include <map>
#include <string>
#include <thread>

#include "base/error.h"
#include "report/live_report.h"
#include "support/report_database.h"
#include "support/temporary_folder.h"

using namespace warpsim;

namespace {

// The response of the server at the port to one request.
std::string ask(int port, const std::string& path, const std::string& host = "127.0.0.1", const char* method = "GET") {
  const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  REQUIRE(::connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
  const std::string request =
      std::string(method) + " " + path + " HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n";
  REQUIRE(::send(socket, request.data(), request.size(), 0) == static_cast<ssize_t>(request.size()));
  std::string answer;
  char buffer[1 << 14];
  for (ssize_t count = 0; (count = ::recv(socket, buffer, sizeof buffer, 0)) > 0;) {
    answer.append(buffer, static_cast<std::size_t>(count));
  }
  ::close(socket);
  return answer;
}

class Running {
 public:
  explicit Running(LiveReport& report) : server_(report), port_(server_.bind(0)) {
    thread_ = std::thread([this] { server_.run(); });
  }
  ~Running() {
    server_.stop();
    thread_.join();
  }
  int port() const { return port_; }

 private:
  ReportServer server_;
  int port_;
  std::thread thread_;
};

ReportOptions options_of(const std::string& path) {
  ReportOptions options;
  options.databases = {path};
  return options;
}

std::string made_database(const std::string& path) {
  Database database(path, Database::Mode::kCreate);
  database.execute("PRAGMA journal_mode = WAL");
  fill_report_database(database);
  return path;
}

TEST_CASE("a live report is read again when its database has changed, and only then") {
  const TemporaryFolder folder;
  const std::string path = made_database(folder.at("r.db"));
  LiveReport report(options_of(path));
  const auto first = report.newest();
  CHECK(report.newest() == first);
  Database writer(path, Database::Mode::kReadWrite);
  writer.execute("UPDATE run SET gpu = 'other' WHERE run_id = 1");
  CHECK(report.generation() == first->generation + 1);
  const auto second = report.newest();
  CHECK(second->generation == first->generation + 1);
  CHECK(second->document.json["databases"][0]["tables"]["runs"]["data"][4][0] == "other");
  CHECK(report.generation() == second->generation);
}

TEST_CASE("a live report follows a database that is replaced, and reports its removal") {
  const TemporaryFolder folder;
  const std::string path = made_database(folder.at("r.db"));
  LiveReport report(options_of(path));
  const std::uint64_t before = report.newest()->generation;
  made_database(folder.at("other.db"));
  std::filesystem::remove(path + "-wal");
  std::filesystem::remove(path + "-shm");
  std::filesystem::rename(folder.at("other.db"), path);
  CHECK(report.generation() == before + 1);
  std::filesystem::remove(path);
  CHECK_THROWS_AS(report.generation(), DatabaseError);
}

TEST_CASE("the server only serves page, state and document") {
  const TemporaryFolder folder;
  LiveReport report(options_of(made_database(folder.at("r.db"))));
  const Running server(report);
  const std::string page = ask(server.port(), "/");
  CHECK(page.rfind("HTTP/1.1 200", 0) == 0);
  CHECK(page.find("data-generation=\"1\"") != std::string::npos);
  CHECK(ask(server.port(), "/state").find("{\"generation\":1}") != std::string::npos);
  CHECK(ask(server.port(), "/document").find("X-Generation: 1") != std::string::npos);
  CHECK(ask(server.port(), "/../r.db").rfind("HTTP/1.1 404", 0) == 0);
  CHECK(ask(server.port(), "/", "127.0.0.1", "DELETE").rfind("HTTP/1.1 404", 0) == 0);
}

TEST_CASE("requests with other host names are refused") {
  const TemporaryFolder folder;
  LiveReport report(options_of(made_database(folder.at("r.db"))));
  const Running server(report);
  CHECK(ask(server.port(), "/state", "evil.example:80").rfind("HTTP/1.1 400", 0) == 0);
  CHECK(ask(server.port(), "/state", "localhost:" + std::to_string(server.port())).rfind("HTTP/1.1 200", 0) == 0);
}

// A connection that sends `text` and then nothing.
class SilentClient {
 public:
  SilentClient(int port, const std::string& text) : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    REQUIRE(::connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
    (void)::send(socket_, text.data(), text.size(), MSG_NOSIGNAL);
  }
  ~SilentClient() { ::close(socket_); }
  SilentClient(const SilentClient&) = delete;
  SilentClient& operator=(const SilentClient&) = delete;

 private:
  int socket_;
};

double seconds_of_page(int port) {
  const auto began = std::chrono::steady_clock::now();
  CHECK(ask(port, "/").rfind("HTTP/1.1 200", 0) == 0);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
}

TEST_CASE("hundreds of clients that send half a request, nothing, or read no response delay no other client") {
  const TemporaryFolder folder;
  LiveReport report(options_of(made_database(folder.at("r.db"))));
  const Running server(report);
  (void)seconds_of_page(server.port());  // the report is created once
  // Limit for a busy machine; a server that waits for one silent client takes 5 s.
  constexpr double kSeconds = 4;
  // Complete requests each need a response: their number is slightly above the server's limit of open ones.
  const std::map<std::string, int> requests = {
      {"", 400}, {"GET / HTTP/1.1\r\nHost: 127", 400}, {"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", 40}};
  for (const auto& [text, count] : requests) {
    CAPTURE(text);
    std::list<SilentClient> clients;
    for (int i = 1; i <= count; ++i) {
      clients.emplace_back(server.port(), text);
      if (i % 100 == 0 || i == count) {
        CHECK(seconds_of_page(server.port()) < kSeconds);
      }
    }
  }
}

TEST_CASE("a request that is too long or arrives in pieces") {
  const TemporaryFolder folder;
  LiveReport report(options_of(made_database(folder.at("r.db"))));
  const Running server(report);
  CHECK(ask(server.port(), "/state", std::string(70'000, 'x')).empty());
  CHECK(ask(server.port(), "/state", std::string(6'000, 'x')).rfind("HTTP/1.1 4", 0) == 0);
}

TEST_CASE("a port in use is one clear error") {
  const TemporaryFolder folder;
  LiveReport report(options_of(made_database(folder.at("r.db"))));
  const Running server(report);
  ReportServer second(report);
  CHECK_THROWS_WITH(second.bind(server.port()), Catch::Contains("is in use or not allowed"));
}

TEST_CASE("a removed database is reported, and the server continues") {
  const TemporaryFolder folder;
  const std::string path = made_database(folder.at("r.db"));
  LiveReport report(options_of(path));
  const Running server(report);
  std::filesystem::rename(path, path + ".away");
  CHECK(ask(server.port(), "/state").rfind("HTTP/1.1 503", 0) == 0);
  std::filesystem::rename(path + ".away", path);
  CHECK(ask(server.port(), "/state").rfind("HTTP/1.1 200", 0) == 0);
}

}  // namespace
