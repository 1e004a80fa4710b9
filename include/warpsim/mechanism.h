// What all exchangeable mechanisms of warpsim have in common: keys in the description of a GPU, counters in the results
// database, and how the simulator makes one object for each component that uses the mechanism.
//
// A mechanism is a class that implements an interface (warp_scheduler.h, replacement.h, prefetcher.h, l1_insertion.h,
// dram_scheduler.h, block_placement.h, address_hash.h, network.h, sector_fetch.h, write_policy.h, compression.h,
// miss_admission.h, arbitration.h):
//
//     class Mine final : public warpsim::mechanism::Replacement {
//      public:
//       struct Settings {
//         std::uint32_t limit = 4;
//         void describe(Keys& keys) { keys.integer("limit", limit, 1, 64, "lines that ..."); }
//       };
//       Mine(const Settings& settings, const ReplacementSite& site, Counters& counters);
//       ...
//     };
//
// Rules, which keep results the same for any number of threads:
// - an object uses only its own state, what its site tells it and the arguments of its calls;
// - nothing random without a seed of its own, no clock, no file, no other thread;
// - no call throws, except constructors, whose std::exception becomes the error message of the run.
// The headers of this folder only require the standard library of C++20.
#pragma once

#include <cstdint>
#include <memory>
#include <stdexcept>

namespace warpsim::mechanism {

// Changes when an interface changes. A library that was compiled with another version is refused.
inline constexpr std::uint32_t kInterfaceVersion = 5;

using Address = std::uint64_t;    // in bytes
using Cycle = std::uint64_t;      // of the component's clock
using SectorMask = std::uint8_t;  // bit i: sector i of a line
using WarpMask = std::uint64_t;   // bit i: warp slot i of a sub-core

enum class CacheLevel : std::uint8_t { kL1, kL2 };

// What a mask of sectors is about. A description may have caches with smaller lines (sm.l1.line_bytes, l2.line_bytes):
// a mechanism then hears of each of them, with the address of its first sector and a mask with only its own bits,
// except for prefetchers and insertions, whose lines are always these.
inline constexpr std::uint32_t kLineBytes = 128;
inline constexpr std::uint32_t kSectorsPerLine = 4;
inline constexpr std::uint32_t kMaxWarpSlots = 64;  // of a sub-core

// The keys of a mechanism, in the section `options` beside its name. A key that the description lacks keeps the value
// that the variable has.
class Keys {
 public:
  // In [min, max].
  virtual void integer(const char* key, std::uint32_t& value, std::uint32_t min, std::uint32_t max,
                       const char* sentence) = 0;
  virtual void real(const char* key, double& value, double min, double max, const char* sentence) = 0;
  virtual void boolean(const char* key, bool& value, const char* sentence) = 0;

 protected:
  ~Keys() = default;
};

// What a counter throws that counts before it was assigned.
class UnassignedCounter : public std::logic_error {
 public:
  UnassignedCounter()
      : std::logic_error(
            "a counter of a mechanism counts but was not assigned; expected the result of counters.add() in each "
            "member of type Counter when the constructor ends") {}
};

// A counter in the results database. It counts for the launch whose access or warp the mechanism is called for.
class Counter {
 public:
  // To be assigned before it counts: else it throws UnassignedCounter, which ends the run with its message.
  Counter() = default;
  // For the simulator: the values of the launch in effect, and the number of the counter.
  Counter(std::uint64_t* const* const* values, std::uint32_t number) : values_(values), number_(number) {}

  Counter& operator++() { return *this += 1; }
  Counter& operator+=(std::uint64_t amount) {
    if (values_ == nullptr) [[unlikely]] {
      throw UnassignedCounter();
    }
    *(*values_)[number_] += amount;
    return *this;
  }

 private:
  std::uint64_t* const* const* values_ = nullptr;
  std::uint32_t number_ = 0;
};

enum class CounterUnit : std::uint8_t { kEvents, kCycles, kInstructions, kWarps, kRequests, kSectors, kBytes };

// Where a mechanism declares its counters: in its constructor, the same ones in each object of the class. They are rows
// of `counters`, of the component that has the mechanism.
class Counters {
 public:
  // `name`: lower case with underscores; `sentence`: what it counts. Both texts must live as long as the library.
  virtual Counter add(const char* name, CounterUnit unit, const char* sentence) = 0;

 protected:
  ~Counters() = default;
};

// For mechanisms without keys.
struct NoSettings {
  void describe(Keys& /*keys*/) {}
};

// Settings of one mechanism in one description, and the maker of its objects. Classes do not implement it themselves:
// see FactoryOf.
template <typename Interface>
class Factory {
 public:
  virtual ~Factory() = default;
  virtual void describe(Keys& keys) = 0;
  virtual std::unique_ptr<Interface> make(const typename Interface::Site& site, Counters& counters) const = 0;
};

template <typename Mechanism>
class FactoryOf final : public Factory<typename Mechanism::Interface> {
 public:
  using Interface = typename Mechanism::Interface;

  void describe(Keys& keys) override { settings_.describe(keys); }
  std::unique_ptr<Interface> make(const typename Interface::Site& site, Counters& counters) const override {
    return std::make_unique<Mechanism>(settings_, site, counters);
  }

 private:
  typename Mechanism::Settings settings_;
};

// A mechanism under its name.
template <typename Interface>
struct Entry {
  const char* name;      // lower case with underscores
  const char* sentence;  // what it does
  std::unique_ptr<Factory<Interface>> (*make_factory)();
};

template <typename Mechanism>
Entry<typename Mechanism::Interface> entry_of(const char* name, const char* sentence) {
  using Interface = typename Mechanism::Interface;
  return {name, sentence,
          []() -> std::unique_ptr<Factory<Interface>> { return std::make_unique<FactoryOf<Mechanism>>(); }};
}

}  // namespace warpsim::mechanism
