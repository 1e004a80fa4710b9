// A thread's knowledge of the others: for each of them the time up to which its accesses precede what the thread
// does next (a vector clock). Times of a block's threads are stored together and shared between clocks with the same
// ones.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

namespace warpsim {

class VectorClock {
 public:
  using Time = std::uint32_t;

  // `actor`: a thread of the block, or its copies. 0 if nothing is known.
  Time of(std::uint32_t block, std::uint32_t actor) const;
  void raise(std::uint32_t block, std::uint32_t actor, Time time);
  void join(const VectorClock& other);
  // Whether it holds for each actor at least the other's time.
  bool covers(const VectorClock& other) const;
  bool empty() const { return blocks_.empty(); }

 private:
  using Times = std::vector<Time>;  // by actor
  struct Block {
    std::uint32_t number = 0;
    std::shared_ptr<Times> times;
  };
  static Times& own(std::shared_ptr<Times>& times);

  std::vector<Block> blocks_;  // by number
};

}  // namespace warpsim
