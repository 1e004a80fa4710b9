// Connections of a small web server on 127.0.0.1: one thread waits for all of them at once, so that slow and silent
// clients cost others nothing.
//
// A connection serves one request. It is closed when its request has not arrived within 5 s, or its answer is not taken
// within 30 s. There are 256 at most, 32 of them with an answer that is not taken yet: the oldest is closed for a new
// one. Answers are made one after another, by the thread that calls run().
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>

namespace warpsim {

class HttpConnections {
 public:
  // Makes the whole answer to a request, given from its first line to the empty line. Bodies are not read.
  using Answer = std::function<std::string(const std::string& request)>;

  explicit HttpConnections(Answer answer);
  ~HttpConnections();
  HttpConnections(const HttpConnections&) = delete;
  HttpConnections& operator=(const HttpConnections&) = delete;

  // Takes the port of 127.0.0.1, 0: any that is free. Returns the port, 0 if it cannot be had.
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
