// The copies that other partitions have of lines at home in an L2 slice: when such a line changes, they are told.
//
// Modelled: a request that changes a line at home (a write, an atomic) removes the whole copy of each other partition,
// except of the one that sends the write, whose near slice has changed its copy already; one message through the fabric
// for each. The line's slot records that there have been copies since it came, not which sectors or partitions, so that
// each further change sends a message. Not modelled: copies of a line that was replaced at home, which stay until they
// are replaced.
// Evidence: tests/hardware/l2_sides, `changes.csv`: after a write of 4 bytes by the home's side, or an atomic of either
// side, all four sectors of a far line come from its home; after a write by the reader's own side none does.
// tests/hardware/fabric_rates, `written`: while one side reads what the other writes, the writes are half as fast.
// State: messages that wait for the fabric. Used by the request path. Invariant: only requests of the crossbar wait for
// these messages, so that two slices never wait for each other.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/link.h"
#include "memory/address_map.h"
#include "memory/grow_queue.h"
#include "memory/l2/l2_access.h"
#include "memory/l2/l2_array.h"
#include "memory/slice_message.h"

namespace warpsim {

class L2Copies {
 public:
  // `number` of the slice. `fabric_out` is null on a chip with one partition. Map, link and array must outlive this.
  L2Copies(const AddressMap& map, std::uint32_t number, Link<SliceRequest>* fabric_out, L2Array& array)
      : map_(&map), number_(number), fabric_out_(fabric_out), array_(&array) {}

  // The partition that sends a request of the fabric has a copy of the line from now on.
  void note(const L2Store::Lookup& lookup) { array_->note_copied(lookup); }
  // `message` changes a line at home that is at `lookup`.
  void change(const SliceRequest& message, const L2Place& place, const L2Store::Lookup& lookup, bool from_fabric) {
    if (array_->copied(lookup)) [[unlikely]] {
      remove(message, place, from_fabric);
    }
  }
  void send(Cycle now) {
    while (!waiting_.empty() && fabric_out_->can_send(now)) {
      fabric_out_->send(waiting_.front(), now);
      waiting_.pop();
    }
  }
  // False on a chip with one partition.
  bool possible() const { return fabric_out_ != nullptr; }
  std::size_t waiting() const { return waiting_.size(); }

 private:
  void remove(const SliceRequest& message, const L2Place& place, bool from_fabric);

  const AddressMap* map_;
  std::uint32_t number_;
  Link<SliceRequest>* fabric_out_;
  L2Array* array_;
  GrowQueue<SliceRequest> waiting_;
};

}  // namespace warpsim
