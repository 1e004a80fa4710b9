// Which process created an object. A copy of the process (fork) has a copy of the object: it must not remove or
// complete files, databases and the like that belong to the first process.
#pragma once

#include <sys/types.h>
#include <unistd.h>

namespace warpsim {

class CreatingProcess {
 public:
  // Whether the calling process created this object.
  bool is_this() const { return ::getpid() == number_; }

 private:
  pid_t number_ = ::getpid();
};

}  // namespace warpsim
