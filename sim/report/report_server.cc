#include "report/report_server.h"

#include <fmt/format.h>
#include <httplib.h>

#include <string>

#include "base/error.h"
#include "report/report_page.h"

namespace warpsim {

namespace {

constexpr const char* kAddress = "127.0.0.1";
constexpr int kBadRequest = 400;
constexpr int kUnavailable = 503;

// Other names that lead here are those of a web page that wants to read what it must not.
bool is_for_us(const httplib::Request& request) {
  const std::string host = request.get_header_value("Host");
  const std::string name = host.substr(0, host.rfind(':'));
  return name == kAddress || name == "localhost";
}

}  // namespace

struct ReportServer::Web {
  explicit Web(LiveReport& live) : report(live) {}

  void state(httplib::Response& response) const {
    response.set_content(fmt::format("{{\"generation\":{}}}", report.generation()), "application/json");
  }
  void document(httplib::Response& response) const {
    const auto newest = report.newest();
    response.set_header("X-Generation", std::to_string(newest->generation));
    response.set_content(document_lines(newest->document), "text/plain");
  }
  void page(httplib::Response& response) const {
    const auto newest = report.newest();
    response.set_content(report_page(newest->document, newest->generation), "text/html; charset=utf-8");
  }

  LiveReport& report;
  httplib::Server server;
};

ReportServer::ReportServer(LiveReport& report) : web_(std::make_unique<Web>(report)) {
  Web& web = *web_;
  // The library's own choice would share the port with whoever else listens at it.
  web.server.set_socket_options([](socket_t socket) {
    const int yes = 1;
    (void)setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  });
  web.server.set_pre_routing_handler([](const httplib::Request& request, httplib::Response& response) {
    if (is_for_us(request)) {
      response.set_header("Cache-Control", "no-store");
      response.set_header("X-Content-Type-Options", "nosniff");
      return httplib::Server::HandlerResponse::Unhandled;
    }
    response.status = kBadRequest;
    response.set_content("This server is for the browsers of its own machine.\n", "text/plain");
    return httplib::Server::HandlerResponse::Handled;
  });
  const auto answer = [&web](void (Web::*fill)(httplib::Response&) const) {
    return [&web, fill](const httplib::Request&, httplib::Response& response) {
      try {
        (web.*fill)(response);
      } catch (const UserError& error) {
        response.status = kUnavailable;
        response.set_content(std::string(error.what()) + "\n", "text/plain");
      }
    };
  };
  web.server.Get("/", answer(&Web::page));
  web.server.Get("/state", answer(&Web::state));
  web.server.Get("/document", answer(&Web::document));
}

ReportServer::~ReportServer() = default;

int ReportServer::bind(int port) {
  if (port == 0) {
    const int free_port = web_->server.bind_to_any_port(kAddress);
    if (free_port <= 0) {
      throw UserError(std::string(kAddress) + ": no port is free");
    }
    return free_port;
  }
  if (!web_->server.bind_to_port(kAddress, port)) {
    throw UserError(fmt::format("--port {}: {}:{} is taken or not allowed; choose another, or 0 for any that is free",
                                port, kAddress, port));
  }
  return port;
}

void ReportServer::run() {
  web_->server.listen_after_bind();
}

void ReportServer::stop() {
  web_->server.stop();
}

}  // namespace warpsim
