#include "report/report_server.h"

#include <fmt/format.h>
#include <httplib.h>

#include <cstdint>
#include <string>
#include <utility>

#include "base/error.h"
#include "report/http_connections.h"
#include "report/report_page.h"

namespace warpsim {

namespace {

constexpr const char* kAddress = "127.0.0.1";
constexpr int kBadRequest = 400;
constexpr int kUnavailable = 503;

// Other host names that resolve to this server are used by web pages for DNS rebinding attacks.
bool is_for_us(const httplib::Request& request) {
  const std::string host = request.get_header_value("Host");
  const std::string name = host.substr(0, host.rfind(':'));
  return name == kAddress || name == "localhost";
}

}  // namespace

// Not an anonymous namespace: the server below, which the header declares, has members of these types.
namespace report_server {

// One request and its response, in memory.
class MemoryStream final : public httplib::Stream {
 public:
  explicit MemoryStream(const std::string& request) : request_(request) {}

  bool is_readable() const override { return at_ < request_.size(); }
  bool is_writable() const override { return true; }
  ssize_t read(char* to, std::size_t size) override {
    const std::size_t bytes = request_.copy(to, size, at_);
    at_ += bytes;
    return static_cast<ssize_t>(bytes);
  }
  ssize_t write(const char* from, std::size_t size) override {
    answer_.append(from, size);
    return static_cast<ssize_t>(size);
  }
  void get_remote_ip_and_port(std::string& ip, int& port) const override { get_local_ip_and_port(ip, port); }
  void get_local_ip_and_port(std::string& ip, int& port) const override {
    ip = kAddress;
    port = 0;
  }
  socket_t socket() const override { return INVALID_SOCKET; }

  std::string take_answer() { return std::move(answer_); }

 private:
  const std::string& request_;
  std::size_t at_ = 0;
  std::string answer_;
};

// The library reads requests and writes responses; it has no access to a socket.
class Router final : public httplib::Server {
 public:
  std::string answer(const std::string& request) {
    MemoryStream stream(request);
    bool closed = false;
    process_request(stream, true, closed, nullptr);
    return stream.take_answer();
  }
};

}  // namespace report_server

struct ReportServer::Web {
  explicit Web(LiveReport& live)
      : report(live), connections([this](const std::string& request) { return router.answer(request); }) {}

  void state(httplib::Response& response) {
    response.set_content(fmt::format("{{\"generation\":{}}}", report.generation()), "application/json");
  }
  void document(httplib::Response& response) {
    const auto newest = report.newest();
    response.set_header("X-Generation", std::to_string(newest->generation));
    response.set_content(document_lines(newest->document), "text/plain");
  }
  // Generated once for each state of the databases.
  void page(httplib::Response& response) {
    const auto newest = report.newest();
    if (page_text.empty() || page_generation != newest->generation) {
      page_text = report_page(newest->document, newest->generation);
      page_generation = newest->generation;
    }
    response.set_content(page_text, "text/html; charset=utf-8");
  }

  LiveReport& report;
  std::string page_text;
  std::uint64_t page_generation = 0;
  report_server::Router router;
  HttpConnections connections;
};

ReportServer::ReportServer(LiveReport& report) : web_(std::make_unique<Web>(report)) {
  Web& web = *web_;
  web.router.set_pre_routing_handler([](const httplib::Request& request, httplib::Response& response) {
    if (is_for_us(request)) {
      response.set_header("Cache-Control", "no-store");
      response.set_header("X-Content-Type-Options", "nosniff");
      return httplib::Server::HandlerResponse::Unhandled;
    }
    response.status = kBadRequest;
    response.set_content("This server only serves browsers on its own machine.\n", "text/plain");
    return httplib::Server::HandlerResponse::Handled;
  });
  const auto answer = [&web](void (Web::*fill)(httplib::Response&)) {
    return [&web, fill](const httplib::Request&, httplib::Response& response) {
      try {
        (web.*fill)(response);
      } catch (const UserError& error) {
        response.status = kUnavailable;
        response.set_content(std::string(error.what()) + "\n", "text/plain");
      }
    };
  };
  web.router.Get("/", answer(&Web::page));
  web.router.Get("/state", answer(&Web::state));
  web.router.Get("/document", answer(&Web::document));
}

ReportServer::~ReportServer() = default;

int ReportServer::bind(int port) {
  const int bound = web_->connections.bind(port);
  if (bound == 0 && port == 0) {
    throw UserError(std::string(kAddress) + ": no port is free");
  }
  if (bound == 0) {
    throw UserError(fmt::format("--port {}: {}:{} is in use or not allowed; choose another, or 0 for any free port",
                                port, kAddress, port));
  }
  return bound;
}

void ReportServer::run() {
  web_->connections.run();
}

void ReportServer::stop() {
  web_->connections.stop();
}

}  // namespace warpsim
