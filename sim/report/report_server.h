// Reports in a browser of this machine: a web server on 127.0.0.1 that shows the report of databases, and notifies open
// pages when these have changed. It only reads, and answers only requests whose host name is this machine. Slow and
// silent clients do not delay others (report/http_connections.h).
#pragma once

#include <memory>

#include "report/live_report.h"

namespace warpsim {

class ReportServer {
 public:
  // `report` must outlive the server.
  explicit ReportServer(LiveReport& report);
  ~ReportServer();
  ReportServer(const ReportServer&) = delete;
  ReportServer& operator=(const ReportServer&) = delete;

  // Binds the port; 0: any free port. Returns the port. Throws UserError if it is in use.
  int bind(int port);
  // Serves until stop().
  void run();
  // From any thread.
  void stop();

 private:
  struct Web;
  std::unique_ptr<Web> web_;
};

}  // namespace warpsim
