#include "core/load_store/load_store_stats.h"

namespace warpsim {

void LoadStoreStats::count_access(OpKind kind, bool local, std::uint32_t sectors) {
  switch (kind) {
    case OpKind::kReduction:
      ++global_reduction_requests;
      global_reduction_sectors += sectors;
      break;
    case OpKind::kAtomic:
      ++global_atomic_requests;
      global_atomic_sectors += sectors;
      break;
    case OpKind::kStore:
      ++(local ? local_store_requests : global_store_requests);
      (local ? local_store_sectors : global_store_sectors) += sectors;
      break;
    default:
      async_copy_requests += kind == OpKind::kAsyncCopy ? 1 : 0;
      ++(local ? local_load_requests : global_load_requests);
      (local ? local_load_sectors : global_load_sectors) += sectors;
      break;
  }
}

void LoadStoreStats::count_transactions(const Transactions& transactions, std::uint32_t requested_bytes) {
  transactions_32 += transactions.of_32_bytes;
  transactions_64 += transactions.of_64_bytes;
  transactions_128 += transactions.of_128_bytes;
  bytes_requested += requested_bytes;
  bytes_moved += transactions.bytes();
}

void LoadStoreStats::record_latency(OpKind kind, ServedBy served_by, Cycle latency) {
  if (kind == OpKind::kAtomic) {
    latency_atomic.add(latency);
    return;
  }
  switch (served_by) {
    case ServedBy::kNone:
      latency_l1.add(latency);
      break;
    case ServedBy::kL2Near:
      latency_l2_near.add(latency);
      break;
    case ServedBy::kL2Far:
      latency_l2_far.add(latency);
      break;
    case ServedBy::kDram:
      latency_dram.add(latency);
      break;
  }
}

}  // namespace warpsim
