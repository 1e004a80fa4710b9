// Which process writes a run, as it is stored in the database, and whether that process is still alive.
#pragma once

#include <cstdint>
#include <string>

namespace warpsim {

struct WriterProcess {
  std::string host;         // name of the machine
  std::string system;       // boot of its kernel and namespace of process numbers: the scope of `number`
  std::int64_t number = 0;  // process ID
  std::string started;      // start time of the process in its kernel's ticks: numbers are reused
};

WriterProcess this_process();

enum class ProcessState : std::uint8_t {
  kEnded,
  kAlive,
  kUnknown,  // of another machine or another namespace of process numbers
};
ProcessState state_of(const WriterProcess& process);

// "process 123 on host node7".
std::string text_of(const WriterProcess& process);

}  // namespace warpsim
