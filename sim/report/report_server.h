// Reports in a browser of this machine: a web server on 127.0.0.1 that shows the report of databases, and notifies open
// pages when these have changed. It only reads, and answers only requests that were meant for this machine by name.
// Slow and silent clients do not keep others waiting (report/http_connections.h).
#pragma once

#include <memory>

#include "report/live_report.h"

namespace warpsim {

class ReportServer {
 public:
  // `report` outlives the server.
  explicit ReportServer(LiveReport& report);
  ~ReportServer();
  ReportServer(const ReportServer&) = delete;
  ReportServer& operator=(const ReportServer&) = delete;

  // Takes the port, 0: any that is free. Returns the port. Throws UserError if it is taken.
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
