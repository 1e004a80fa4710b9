#include "app/commands/serve_command.h"

#include <csignal>

#include <atomic>
#include <chrono>
#include <ctime>
#include <ostream>
#include <thread>

#include "app/exit_codes.h"
#include "report/live_report.h"
#include "report/report_server.h"

namespace warpsim {

namespace {

// Ends the server at SIGINT or SIGTERM. Threads that are started later do not receive these signals.
class SignalWatch {
 public:
  explicit SignalWatch(ReportServer& server) {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &signals, nullptr);
    thread_ = std::thread([this, signals, &server] { watch(signals, server); });
  }
  ~SignalWatch() {
    done_ = true;
    thread_.join();
  }
  SignalWatch(const SignalWatch&) = delete;
  SignalWatch& operator=(const SignalWatch&) = delete;

 private:
  void watch(const sigset_t& signals, ReportServer& server) const {
    constexpr timespec kPause = {0, 100'000'000};
    while (!done_) {
      if (sigtimedwait(&signals, nullptr, &kPause) > 0) {
        server.stop();
      }
    }
  }

  std::atomic<bool> done_ = false;
  std::thread thread_;
};

}  // namespace

int serve_command(const ServeOptions& options, std::ostream& out) {
  LiveReport report(options.report);
  ReportServer server(report);
  const int port = server.bind(static_cast<int>(options.port));
  const SignalWatch watch(server);
  out << "http://127.0.0.1:" << port << "/ shows the report and updates it while runs go on; Ctrl-C stops the server.\n"
      << std::flush;
  server.run();
  return kExitDone;
}

}  // namespace warpsim
