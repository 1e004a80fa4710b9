#include "cuda/profiling/nvtx_ranges.h"

#include <array>
#include <catch2/catch.hpp>
#include <string>
#include <thread>
#include <vector>

#include "cuda/context.h"
#include "cuda/profiling/nvtx_injection.h"

namespace warpsim::cuda {
namespace {

using Numbers = std::vector<std::uint64_t>;

TEST_CASE("NVTX: ranges are pushed and popped on a stack of each domain") {
  NvtxRanges ranges;
  const NvtxRanges::Domain library = ranges.create_domain("library");
  CHECK(ranges.create_domain("library") == library);
  CHECK(ranges.pop(0) == NvtxRanges::kNoRange);
  CHECK(ranges.push(0, "outer") == 0);
  CHECK(ranges.push(library, "call") == 0);
  CHECK(ranges.push(0, "inner") == 1);
  CHECK(ranges.open_ranges() == Numbers{1, 3, 2});  // by domain, outermost first
  CHECK(ranges.is_open("", "outer"));
  CHECK(ranges.is_open("library", "call"));
  CHECK_FALSE(ranges.is_open("", "call"));
  CHECK(ranges.pop(0) == 1);
  CHECK(ranges.open_ranges() == Numbers{1, 2});
  CHECK(ranges.pop(library) == 0);
  CHECK(ranges.pop(0) == 0);
  CHECK(ranges.pop(0) == NvtxRanges::kNoRange);
  CHECK(ranges.open_ranges().empty());
}

TEST_CASE("NVTX: pushed ranges belong to a thread, started ones to all") {
  NvtxRanges ranges;
  ranges.push(0, "own");
  const std::uint64_t started = ranges.start(0, "all");
  Numbers others;
  bool has_own = true;
  std::thread([&] {
    others = ranges.open_ranges();
    has_own = ranges.is_open("", "own");
  }).join();
  CHECK(others == Numbers{started});
  CHECK_FALSE(has_own);
  CHECK(ranges.open_ranges() == Numbers{started, 1});
  ranges.end(started);
  ranges.end(started);  // nothing happens
  ranges.end(77);
  CHECK(ranges.open_ranges() == Numbers{1});
}

TEST_CASE("NVTX: only ranges that were open at a launch are kept") {
  NvtxRanges ranges;
  ranges.push(0, "outer");
  ranges.push(0, "unused");
  ranges.pop(0);
  ranges.push(0, "used");
  ranges.open_ranges();
  ranges.pop(0);
  ranges.push(0, "later");
  const std::vector<RangeRecord> kept = ranges.kept_ranges();
  REQUIRE(kept.size() == 2);
  CHECK(kept[0].name == "outer");
  CHECK(kept[0].is_pushed);
  CHECK(kept[0].parent == 0);
  CHECK(kept[1].name == "used");
  CHECK(kept[1].parent == kept[0].number);
  CHECK(kept[1].thread == kept[0].thread);
}

// A program's copy of NVTX: pointers to call, and the tables that lead to them.
struct Program {
  std::array<nvtx::Function, 16> core = {};
  std::array<nvtx::Function, 16> core2 = {};
  std::array<nvtx::Place, 16> core_places = {};
  std::array<nvtx::Place, 16> core2_places = {};
  bool has_core2 = true;

  Program() {
    for (std::size_t i = 1; i < core.size(); ++i) {
      core_places[i] = &core[i];
      core2_places[i] = &core2[i];
    }
  }
  template <class Signature>
  Signature* function(nvtx::Core number) const {
    return reinterpret_cast<Signature*>(core[static_cast<std::size_t>(number)]);
  }
  template <class Signature>
  Signature* function(nvtx::Core2 number) const {
    return reinterpret_cast<Signature*>(core2[static_cast<std::size_t>(number)]);
  }
};

Program* program = nullptr;

int places_of(nvtx::CallbackModule module, nvtx::Place** places, unsigned* count) {
  if (module == nvtx::CallbackModule::kCore2 && !program->has_core2) {
    return 0;
  }
  *places = module == nvtx::CallbackModule::kCore ? program->core_places.data() : program->core2_places.data();
  *count = static_cast<unsigned>(program->core.size());
  return 1;
}

const nvtx::CallbacksTable kCallbacks = {.bytes = sizeof(nvtx::CallbacksTable), .places_of = places_of};
const nvtx::CallbacksTable kShort = {.bytes = sizeof(std::size_t), .places_of = places_of};

const void* tables(std::uint32_t table) {
  return table == nvtx::kCallbacksTable ? &kCallbacks : nullptr;
}
const void* short_table(std::uint32_t /*table*/) {
  return &kShort;
}
const void* no_table(std::uint32_t /*table*/) {
  return nullptr;
}

std::vector<std::string> open_names() {
  NvtxRanges& ranges = process_context().ranges();
  const Numbers open = ranges.open_ranges();
  std::vector<std::string> names;
  for (const RangeRecord& record : ranges.kept_ranges()) {
    if (std::ranges::find(open, record.number) != open.end()) {
      names.push_back(record.domain + "@" + record.name);
    }
  }
  return names;
}

TEST_CASE("NVTX: the program's functions reach the ranges of the process") {
  Program own;
  program = &own;
  REQUIRE(InitializeInjectionNvtx2(tables) == 1);
  using nvtx::Core;
  using nvtx::Core2;
  CHECK(own.core[1] == nullptr);  // marks are not used
  const std::uint64_t started = own.function<std::uint64_t(const char*)>(Core::kRangeStartA)("started");
  CHECK(own.function<int(const wchar_t*)>(Core::kRangePushW)(L"wide \u00e9") == 0);
  CHECK(own.function<int(const char*)>(Core::kRangePushA)(nullptr) == 1);
  CHECK(open_names() == std::vector<std::string>{"@started", "@wide \xc3\xa9", "@"});
  const auto domain = own.function<std::uintptr_t(const char*)>(Core2::kDomainCreateA)("lib");
  const auto text =
      own.function<std::uintptr_t(std::uintptr_t, const char*)>(Core2::kDomainRegisterStringA)(domain, "registered");
  nvtx::EventAttributes attributes;
  attributes.bytes = sizeof attributes;
  attributes.message_type = nvtx::MessageType::kRegistered;
  attributes.message = reinterpret_cast<const void*>(text);
  using InDomain = int(std::uintptr_t, const nvtx::EventAttributes*);
  CHECK(own.function<InDomain>(Core2::kDomainRangePushEx)(domain, &attributes) == 0);
  attributes.bytes = 8;  // of a version without these members
  CHECK(own.function<InDomain>(Core2::kDomainRangePushEx)(domain, &attributes) == 1);
  CHECK(open_names() == std::vector<std::string>{"@started", "@wide \xc3\xa9", "@", "lib@registered", "lib@"});
  CHECK(own.function<int(std::uintptr_t)>(Core2::kDomainRangePop)(domain) == 1);
  CHECK(own.function<int(std::uintptr_t)>(Core2::kDomainRangePop)(domain) == 0);
  CHECK(own.function<int()>(Core::kRangePop)() == 1);
  CHECK(own.function<int()>(Core::kRangePop)() == 0);
  CHECK(own.function<int()>(Core::kRangePop)() == NvtxRanges::kNoRange);
  own.function<void(std::uint64_t)>(Core::kRangeEnd)(started);
  CHECK(open_names().empty());
}

TEST_CASE("NVTX: a program without the tables is left alone") {
  Program own;
  program = &own;
  CHECK(InitializeInjectionNvtx2(nullptr) == 0);
  CHECK(InitializeInjectionNvtx2(no_table) == 0);
  CHECK(InitializeInjectionNvtx2(short_table) == 0);
  own.has_core2 = false;  // an old one
  CHECK(InitializeInjectionNvtx2(tables) == 1);
  CHECK(own.core2[4] == nullptr);
  CHECK(own.core[9] != nullptr);
  own.core_places[9] = nullptr;
  CHECK(InitializeInjectionNvtx2(tables) == 1);
}

}  // namespace
}  // namespace warpsim::cuda
