#include "emulator/execution/breakpoints.h"

#include <catch2/catch.hpp>

#include "base/error.h"
#include "emulator/code/kernel_image.h"
#include "emulator/code/module_image.h"
#include "emulator/execution/grid_execution.h"
#include "emulator/execution/launch_context.h"
#include "emulator/memory/device_memory.h"
#include "ptx/parser.h"

namespace warpsim {
namespace {

// Warps diverge at line 11 and meet at line 17; lines 13 to 16 are executed by odd lanes, three times.
const std::string kPtx = R"(.version 7.0
.target sm_70
.address_size 64
.visible .entry k()
{
  .reg .pred %p<3>;
  .reg .b32 %r<4>;
  mov.u32 %r1, %tid.x;
  and.b32 %r2, %r1, 1;
  setp.eq.u32 %p1, %r2, 0;
  @%p1 bra done;
  mov.u32 %r3, 0;
again:
  add.u32 %r3, %r3, 1;
  setp.lt.u32 %p2, %r3, 3;
  @%p2 bra again;
done:
  mul.lo.u32 %r3, %r1, 10;
  ret;
}
)";

struct Stops {
  std::vector<std::string> texts;
  std::vector<std::string> not_reached;

  // Lanes of each stop, as stated in its first line.
  std::vector<std::string> lanes() const {
    std::vector<std::string> result;
    for (const std::string& text : texts) {
      const std::size_t at = text.find("lanes ");
      result.push_back(text.substr(at + 6, text.find('\n') - at - 6));
    }
    return result;
  }
};

Stops run(const std::vector<Breakpoint>& asked, bool independent_threads = true) {
  DeviceMemory memory(1 << 20);
  const ModuleImage module(ptx::parse_module(kPtx, "k.ptx"), memory);
  const KernelImage kernel(module, 0);
  Stops stops;
  Breakpoints breakpoints(asked, [&stops](const std::string& text) { stops.texts.push_back(text); });
  LaunchContext launch;
  launch.kernel = &kernel;
  launch.memory = &memory;
  launch.block = {64, 1, 1};
  launch.independent_threads = independent_threads;
  launch.breakpoints = breakpoints.prepare(kernel) ? &breakpoints : nullptr;
  execute_grid(launch, {});
  stops.not_reached = breakpoints.not_reached();
  return stops;
}

TEST_CASE("breakpoints: only the lanes that reach the line are shown") {
  CHECK(run({{"k", 12, {}, 1}}).lanes() == std::vector<std::string>{"0xaaaaaaaa"});
  CHECK(run({{"k", 9, {}, 1}}).lanes() == std::vector<std::string>{"0xffffffff"});
}

TEST_CASE("breakpoints: for a guarded branch the lanes whose guard is true") {
  CHECK(run({{"k", 11, {}, 1}}).lanes() == std::vector<std::string>{"0x55555555"});
}

TEST_CASE("breakpoints: the same warp stops each time, up to the count") {
  const Stops stops = run({{"k", 14, {}, 2}});
  REQUIRE(stops.texts.size() == 2);
  CHECK_THAT(stops.texts[0], Catch::Contains("%r3      b32   0x00000000 in all"));
  CHECK_THAT(stops.texts[1], Catch::Contains("%r3      b32   0x00000001 in all"));
  CHECK(run({{"k", 14, {}, 10}}).texts.size() == 3);  // iterations of one warp only
}

TEST_CASE("breakpoints: the requested warp stops, not the first") {
  const Stops stops = run({{"k", 8, Breakpoint::OneWarp{0, 1}, 5}});
  REQUIRE(stops.texts.size() == 1);
  CHECK_THAT(stops.texts[0], Catch::StartsWith("k.ptx:8: k: mov.u32, warp 1 of block (0, 0, 0)"));
}

TEST_CASE("breakpoints: where paths meet, all lanes arrive together") {
  CHECK(run({{"k", 18, {}, 4}}, false).lanes() == std::vector<std::string>{"0xffffffff"});
}

TEST_CASE("breakpoints: for a line without an instruction the next one is used") {
  CHECK_THAT(run({{"k", 17, {}, 1}}).texts.at(0), Catch::StartsWith("k.ptx:18: k: mul.lo.u32"));
}

TEST_CASE("breakpoints: a line that no warp reaches is reported") {
  const Stops stops = run({{"k", 14, Breakpoint::OneWarp{1, 0}, 1}, {"other", 3, {}, 1}, {"k", 9, {}, 1}});
  CHECK(stops.not_reached == std::vector<std::string>{"k:14", "other:3"});
  CHECK(stops.texts.size() == 1);
  CHECK_THAT(run({{"k", 20, {}, 1}}).texts.at(0), Catch::Contains("no instruction at or after this line"));
}

TEST_CASE("breakpoints: their text is checked") {
  const Breakpoint breakpoint = breakpoint_of("void f<a::b>(int):12");
  CHECK(breakpoint.kernel == "void f<a::b>(int)");
  CHECK(breakpoint.line == 12);
  for (const char* text : {"k", "k:", ":3", "k:0", "k:x", "k:-1"}) {
    CHECK_THROWS_AS(breakpoint_of(text), UserError);
  }
  CHECK(warp_of("17,3").block == 17);
  CHECK(warp_of("17,3").warp == 3);
  for (const char* text : {"", "1", "1,", ",1", "1,x"}) {
    CHECK_THROWS_AS(warp_of(text), UserError);
  }
}

}  // namespace
}  // namespace warpsim
