// Connections of a small web server on 127.0.0.1: one thread waits for all of them at once, so that slow and silent
// clients do not delay others.
//
// A connection serves one request. It is closed when its request has not arrived within 5 s, or its response is not
// received within 30 s. There are at most 256, and at most 32 with a pending response: the oldest is closed for a new
// one. Responses are generated one after another, by the thread that calls run().
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>

namespace warpsim {

class HttpConnections {
 public:
  // Generates the complete response to a request, which is given from its first line to the empty line. Bodies are not
  // read.
  using Answer = std::function<std::string(const std::string& request)>;

  explicit HttpConnections(Answer answer);
  ~HttpConnections();
  HttpConnections(const HttpConnections&) = delete;
  HttpConnections& operator=(const HttpConnections&) = delete;

  // Binds the port of 127.0.0.1; 0: any free port. Returns the port, 0 if that fails.
  int bind(int port);
  // Serves until stop().
  void run();
  // From any thread, also before run().
  void stop();

 private:
  struct Loop;
  std::unique_ptr<Loop> loop_;
};

}  // namespace warpsim
