#include "emulator/races/memory_order.h"

#include <catch2/catch.hpp>
#include <sstream>
#include <string>

#include "ptx/module.h"

namespace warpsim {
namespace {

// An operation from "opcode.word.word" and the number in its first operand.
Operation order_of(const std::string& text, std::uint64_t number = 0) {
  ptx::Instruction instruction;
  const std::size_t dot = text.find('.');
  instruction.opcode = std::string_view(text).substr(0, dot);
  for (std::size_t at = dot; at < text.size();) {
    const std::size_t next = std::min(text.find('.', at + 1), text.size());
    instruction.modifiers.push_back(std::string_view(text).substr(at + 1, next - at - 1));
    at = next;
  }
  instruction.operands.emplace_back();
  instruction.operands.back().bits = number;
  Operation operation;
  set_memory_order(instruction, operation);
  return operation;
}

void check(const std::string& text, MemoryRole role, MemoryOrder order, MemoryScope scope) {
  INFO(text);
  const Operation operation = order_of(text);
  CHECK(operation.memory_role == role);
  CHECK(operation.order == order);
  CHECK(operation.scope == scope);
}

TEST_CASE("memory order: loads, stores and atomics") {
  check("ld.global.u32", MemoryRole::kAccess, MemoryOrder::kWeak, MemoryScope::kSystem);
  check("ld.volatile.shared.u32", MemoryRole::kAccess, MemoryOrder::kRelaxed, MemoryScope::kSystem);
  check("ld.acquire.gpu.global.u32", MemoryRole::kAccess, MemoryOrder::kAcquire, MemoryScope::kDevice);
  check("st.release.cta.shared.u32", MemoryRole::kAccess, MemoryOrder::kRelease, MemoryScope::kBlock);
  check("atom.global.add.u32", MemoryRole::kAccess, MemoryOrder::kRelaxed, MemoryScope::kDevice);
  check("atom.acq_rel.cluster.shared.cas.b32", MemoryRole::kAccess, MemoryOrder::kAcquireRelease,
        MemoryScope::kCluster);
  check("red.relaxed.sys.global.add.u32", MemoryRole::kAccess, MemoryOrder::kRelaxed, MemoryScope::kSystem);
}

TEST_CASE("memory order: fences and barriers") {
  check("membar.gl", MemoryRole::kFence, MemoryOrder::kAcquireRelease, MemoryScope::kDevice);
  check("membar.cta", MemoryRole::kFence, MemoryOrder::kAcquireRelease, MemoryScope::kBlock);
  check("fence.sc.sys", MemoryRole::kFence, MemoryOrder::kAcquireRelease, MemoryScope::kSystem);
  check("mbarrier.arrive.shared.b64", MemoryRole::kArrive, MemoryOrder::kRelease, MemoryScope::kBlock);
  check("mbarrier.try_wait.parity.shared.b64", MemoryRole::kTest, MemoryOrder::kAcquire, MemoryScope::kBlock);
  check("mbarrier.init.shared.b64", MemoryRole::kAccess, MemoryOrder::kWeak, MemoryScope::kBlock);
  CHECK(order_of("barrier.cluster.arrive.relaxed").order == MemoryOrder::kRelaxed);
  CHECK(order_of("barrier.cluster.arrive").order == MemoryOrder::kAcquireRelease);
}

TEST_CASE("memory order: copies, their groups and waits") {
  CHECK(order_of("cp.async.ca.shared.global").memory_role == MemoryRole::kCopy);
  CHECK(order_of("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes").memory_role == MemoryRole::kCopy);
  CHECK(order_of("st.async.shared::cluster.mbarrier::complete_tx::bytes.u32").memory_role == MemoryRole::kCopy);
  CHECK(order_of("cp.async.commit_group").memory_role == MemoryRole::kCommit);
  CHECK(order_of("cp.async.bulk.commit_group").memory_role == MemoryRole::kCommitBulk);
  CHECK(order_of("cp.async.wait_group", 2).memory_role == MemoryRole::kWait);
  CHECK(order_of("cp.async.wait_group", 2).offset == 2);
  CHECK(order_of("cp.async.wait_all").offset == -1);
  CHECK(order_of("cp.async.bulk.wait_group.read", 0).memory_role == MemoryRole::kWaitBulk);
  CHECK(order_of("cp.async.mbarrier.arrive.noinc.shared.b64").memory_role == MemoryRole::kReport);
  CHECK(order_of("add.u32").memory_role == MemoryRole::kNone);
}

}  // namespace
}  // namespace warpsim
