#include "report/http_connections.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <list>
#include <utility>
#include <vector>

#include "base/error.h"

namespace warpsim {

// Not an anonymous namespace: the loop below, which the header declares, has members of these types.
namespace http {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds kRequestTime{5};
constexpr std::chrono::seconds kAnswerTime{30};
constexpr std::chrono::seconds kCloseTime{1};
constexpr std::size_t kMostConnections = 256;
constexpr std::size_t kMostAnswering = 32;
constexpr std::size_t kLongestRequest = 64UL * 1024;
constexpr int kBacklog = 1024;

class Descriptor {
 public:
  explicit Descriptor(int value = -1) : value_(value) {}
  ~Descriptor() {
    if (value_ >= 0) {
      ::close(value_);
    }
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  void reset(int value) {
    if (value_ >= 0) {
      ::close(value_);
    }
    value_ = value;
  }
  int value() const { return value_; }

 private:
  int value_;
};

// One client: its request is read, its response is written, then the client has time to receive the last bytes.
class Connection {
 public:
  enum class State : unsigned char { kReading, kAnswering, kClosing, kDone };

  explicit Connection(int socket) : socket_(socket), deadline_(Clock::now() + kRequestTime) {}

  int socket() const { return socket_.value(); }
  State state() const { return state_; }
  Clock::time_point deadline() const { return deadline_; }
  short events() const { return state_ == State::kAnswering ? POLLOUT : POLLIN; }

  // Does all work that is possible without waiting.
  void go_on(const HttpConnections::Answer& answer) {
    if (state_ == State::kReading) {
      read(answer);
    }
    if (state_ == State::kAnswering) {
      write();
    }
    if (state_ == State::kClosing) {
      drain();
    }
  }

 private:
  // False: there is nothing to read now.
  bool receive(std::string& into) {
    std::array<char, 4096> buffer;
    const ssize_t bytes = ::recv(socket(), buffer.data(), buffer.size(), 0);
    if (bytes > 0) {
      into.append(buffer.data(), static_cast<std::size_t>(bytes));
      return true;
    }
    if (bytes == 0 || (errno != EAGAIN && errno != EINTR)) {
      state_ = State::kDone;
    }
    return false;
  }

  void read(const HttpConnections::Answer& answer) {
    while (receive(text_)) {
      const std::size_t end = text_.find("\r\n\r\n");
      if (end != std::string::npos) {
        text_.resize(end + 4);
        text_ = answer(text_);
        state_ = State::kAnswering;
        deadline_ = Clock::now() + kAnswerTime;
        return;
      }
      if (text_.size() > kLongestRequest) {
        state_ = State::kDone;
        return;
      }
    }
  }

  void write() {
    while (sent_ < text_.size()) {
      const ssize_t bytes = ::send(socket(), text_.data() + sent_, text_.size() - sent_, MSG_NOSIGNAL);
      if (bytes < 0) {
        state_ = errno == EAGAIN || errno == EINTR ? state_ : State::kDone;
        return;
      }
      sent_ += static_cast<std::size_t>(bytes);
    }
    text_ = {};
    ::shutdown(socket(), SHUT_WR);
    state_ = State::kClosing;
    deadline_ = Clock::now() + kCloseTime;
  }

  // Closing a socket with unread bytes would discard the end of the response.
  void drain() {
    std::string ignored;
    while (receive(ignored)) {
      ignored.clear();
    }
  }

  Descriptor socket_;
  State state_ = State::kReading;
  Clock::time_point deadline_;
  std::string text_;  // the request, then the response
  std::size_t sent_ = 0;
};

}  // namespace http

struct HttpConnections::Loop {
  explicit Loop(Answer make_answer) : answer(std::move(make_answer)), wake(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {}

  std::vector<pollfd> waiting() const {
    std::vector<pollfd> all = {{wake.value(), POLLIN, 0}, {listener.value(), POLLIN, 0}};
    for (const http::Connection& connection : connections) {
      all.push_back({connection.socket(), connection.events(), 0});
    }
    return all;
  }

  // Until the next deadline, in milliseconds; -1 if there is none.
  int patience() const {
    if (connections.empty()) {
      return -1;
    }
    const auto next = std::ranges::min_element(connections, {}, &http::Connection::deadline)->deadline();
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(next - http::Clock::now()).count();
    return static_cast<int>(std::clamp<std::int64_t>(left, 0, 60'000));
  }

  void serve(const std::vector<pollfd>& events) {
    auto connection = connections.begin();
    for (std::size_t i = 2; i < events.size(); ++i, ++connection) {
      if (events[i].revents != 0) {
        connection->go_on(answer);
      }
    }
    const http::Clock::time_point now = http::Clock::now();
    connections.remove_if([now](const http::Connection& one) {
      return one.state() == http::Connection::State::kDone || one.deadline() <= now;
    });
  }

  // Closes the oldest for which `is_candidate` is true if there are more than `most` of them.
  template <class Predicate>
  void limit(std::size_t most, const Predicate& is_candidate) {
    if (static_cast<std::size_t>(std::ranges::count_if(connections, is_candidate)) > most) {
      connections.erase(std::ranges::find_if(connections, is_candidate));
    }
  }

  void accept() {
    while (true) {
      const int socket = ::accept4(listener.value(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
      if (socket < 0) {
        // If there are no free descriptors, the oldest connection is closed; the new one is accepted the next time.
        if ((errno == EMFILE || errno == ENFILE) && !connections.empty()) {
          connections.pop_front();
        }
        return;
      }
      connections.emplace_back(socket).go_on(answer);
      limit(http::kMostAnswering,
            [](const http::Connection& one) { return one.state() == http::Connection::State::kAnswering; });
      limit(http::kMostConnections, [](const http::Connection&) { return true; });
    }
  }

  Answer answer;
  http::Descriptor wake;
  http::Descriptor listener;
  std::list<http::Connection> connections;  // the oldest first
  std::atomic<bool> stopped = false;
};

HttpConnections::HttpConnections(Answer answer) : loop_(std::make_unique<Loop>(std::move(answer))) {}

HttpConnections::~HttpConnections() = default;

int HttpConnections::bind(int port) {
  const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  loop_->listener.reset(socket);
  const int yes = 1;
  sockaddr_in address{};
  socklen_t size = sizeof address;
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  auto* const generic = reinterpret_cast<sockaddr*>(&address);
  const bool bound = socket >= 0 && ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) == 0 &&
                     ::bind(socket, generic, size) == 0 && ::listen(socket, http::kBacklog) == 0 &&
                     ::getsockname(socket, generic, &size) == 0;
  return bound ? ntohs(address.sin_port) : 0;
}

void HttpConnections::run() {
  while (!loop_->stopped) {
    std::vector<pollfd> events = loop_->waiting();
    if (::poll(events.data(), events.size(), loop_->patience()) < 0 && errno != EINTR) {
      throw UserError("the connections of the web server cannot be waited for");
    }
    loop_->serve(events);
    loop_->accept();
  }
}

void HttpConnections::stop() {
  loop_->stopped = true;
  const std::uint64_t one = 1;
  (void)!::write(loop_->wake.value(), &one, sizeof one);
}

}  // namespace warpsim
