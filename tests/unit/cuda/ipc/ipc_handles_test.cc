#include "cuda/ipc/ipc_handles.h"

#include <sys/mman.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstring>

#include "cuda/device/error_codes.h"
#include "cuda/ipc/ipc_exports.h"
#include "support/child_process.h"

namespace warpsim::cuda {
namespace {

using test::in_child_process;

template <class Call>
int failure_code(const Call& call) {
  try {
    call();
  } catch (const CallError& error) {
    return error.code();
  }
  return kSuccess;
}

TEST_CASE("IPC handles: another process reads what one has written") {
  MemoryHandle memory{.owner = this_owner(), .check = 99, .offset = 512, .bytes = 4096, .table = 5, .pages = 6};
  memory.entry = 7;
  memory.gpu = 1;
  const abi::IpcHandle memory_packed = packed(memory);
  const abi::IpcHandle event_packed = packed(SharedEventHandle{this_owner(), 98, 4});
  CHECK(failure_code([&] { memory_handle(memory_packed); }) == kInvalidContext);
  CHECK(failure_code([&] { event_handle(event_packed); }) == kInvalidContext);
  CHECK(in_child_process([&] {
    const MemoryHandle read = memory_handle(memory_packed);
    return read.owner.process == getppid() && read.check == 99 && read.offset == 512 && read.bytes == 4096 &&
           read.table == 5 && read.pages == 6 && read.entry == 7 && read.gpu == 1;
  }));
  CHECK(in_child_process([&] {
    const SharedEventHandle read = event_handle(event_packed);
    return read.owner.process == getppid() && read.check == 98 && read.descriptor == 4;
  }));
  CHECK(in_child_process([&] { return failure_code([&] { event_handle(memory_packed); }) == kInvalidValue; }));
  CHECK(in_child_process([&] { return failure_code([&] { memory_handle(event_packed); }) == kInvalidValue; }));
  CHECK(failure_code([] { memory_handle({}); }) == kInvalidValue);
}

TEST_CASE("IPC handles: those of a process that has ended are refused") {
  const SharedPages page(4096);
  std::byte* const place = page.map(nullptr, 0, 4096);
  REQUIRE(place != nullptr);
  REQUIRE(in_child_process([&] {
    const abi::IpcHandle handle = packed(MemoryHandle{.owner = this_owner(), .check = 1});
    std::memcpy(place, &handle, sizeof handle);
    return true;
  }));
  abi::IpcHandle handle = {};
  std::memcpy(&handle, place, sizeof handle);
  munmap(place, 4096);
  CHECK(failure_code([&] { memory_handle(handle); }) == kMapFailed);
}

TEST_CASE("IPC handles: pages behind a descriptor are opened in another process") {
  const SharedPages pages(8192);
  std::byte* const place = pages.map(nullptr, 0, 8192);
  REQUIRE(place != nullptr);
  place[4096] = std::byte{5};
  const HandleOwner owner = this_owner();
  CHECK(in_child_process([&] {
    const SharedPages same = open_pages(owner, pages.descriptor());
    std::byte* const there = same.map(nullptr, 4096, 4096);
    there[1] = std::byte{6};
    return same.bytes() == 8192 && there[0] == std::byte{5};
  }));
  CHECK(place[4097] == std::byte{6});
  munmap(place, 8192);
  CHECK(failure_code([&] { open_pages(owner, 1'000'000); }) == kMapFailed);
  CHECK(random_check() != random_check());
}

TEST_CASE("IPC exports: an allocation has one entry as long as it exists, and others see that") {
  IpcExports exports;
  const SharedPages table = open_pages(this_owner(), exports.descriptor());
  const IpcExports::Entry first = exports.add(0x1000);
  const IpcExports::Entry second = exports.add(0x2000);
  CHECK(first.number != second.number);
  CHECK(exports.add(0x1000).check == first.check);
  CHECK(IpcExports::check_of(table, first.number) == first.check);
  exports.remove(0x1000);
  exports.remove(0x3000);
  CHECK(IpcExports::check_of(table, first.number) == 0);
  CHECK(IpcExports::check_of(table, second.number) == second.check);
  CHECK(IpcExports::check_of(table, IpcExports::kMostEntries) == 0);
  CHECK(exports.add(0x1000).check != first.check);
  for (Address begin = 0x10'0000; begin < 0x10'0000 + IpcExports::kMostEntries - 2; ++begin) {
    exports.add(begin);
  }
  CHECK_THROWS_AS(exports.add(1), std::bad_alloc);
  exports.remove(0x2000);
  CHECK(exports.add(1).number == second.number);
}

}  // namespace
}  // namespace warpsim::cuda
