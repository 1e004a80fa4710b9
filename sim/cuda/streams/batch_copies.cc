#include "cuda/streams/batch_copies.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "cuda/graphs/graph_node.h"
#include "cuda/memory/memory_calls.h"

namespace warpsim::cuda {

namespace {

constexpr int kOrderOfStream = 1;
constexpr int kOrderDuringCall = 2;
constexpr int kAnyOrder = 3;
constexpr unsigned kOverlapFlag = 1;  // a hint
constexpr int kPointerOperand = 1;
constexpr int kArrayOperand = 2;

struct Prepared {
  CopyOperation boxes;
  int source_order = kOrderOfStream;
};

void check_order(int order, unsigned flags) {
  require_valid(order >= kOrderOfStream && order <= kAnyOrder && flags <= kOverlapFlag);
}

// Prepares each copy, and only then makes all of them.
template <class Prepare>
void make_all(Context& context, std::size_t count, StreamHandle stream, std::size_t* failed, const Prepare& prepare) {
  require_valid(reinterpret_cast<std::uintptr_t>(stream) != kLegacyStream);
  context.stream(stream);
  std::vector<Prepared> all;
  for (std::size_t i = 0; i < count; ++i) {
    try {
      all.push_back(prepare(i));
    } catch (const CallError&) {
      if (failed != nullptr) {
        *failed = i;
      }
      throw;
    }
  }
  for (const Prepared& copy : all) {
    const CopyOperation& boxes = copy.boxes;
    const bool is_read_now = copy.source_order == kOrderDuringCall && !boxes.source.on_device;
    copy_box(context, boxes.target, is_read_now ? staged(boxes.source, boxes.size) : boxes.source, boxes.size,
             {stream, true});
  }
}

void set_none_failed(std::size_t* failed) {
  if (failed != nullptr) {
    *failed = std::numeric_limits<std::size_t>::max();
  }
}

std::size_t element_bytes(Context& context, const abi::CopyOfBatch& copy) {
  std::size_t bytes = 0;
  for (const abi::CopyOperand* const operand : {&copy.source, &copy.target}) {
    require_valid(operand->type == kPointerOperand || operand->type == kArrayOperand);
    if (operand->type == kArrayOperand) {
      const std::size_t own = context.array(operand->array.array).texel_bytes;
      require_valid(bytes == 0 || bytes == own);
      bytes = own;
    }
  }
  return std::max<std::size_t>(bytes, 1);
}

Box box_of(Context& context, const abi::CopyOperand& operand, const BoxSize& size, std::size_t element) {
  if (operand.type == kArrayOperand) {
    const abi::Position& at = operand.array.offset;
    return array_box(context, operand.array.array, {at.x * element, at.y, at.z}, size);
  }
  const auto& pointer = operand.pointer;
  require_valid(pointer.row_elements == 0 || pointer.row_elements >= size.width / element);
  require_valid(pointer.slice_rows == 0 || pointer.slice_rows >= size.height);
  const std::size_t pitch = pointer.row_elements == 0 ? size.width : pointer.row_elements * element;
  return pitched_box(context, pointer.data, {pitch, pointer.slice_rows}, size, Side::kEither);
}

}  // namespace

void copy_batch(Context& context, const CopyBatch& batch, StreamHandle stream, std::size_t* failed) {
  set_none_failed(failed);
  require_valid(batch.count != 0 && batch.targets != nullptr && batch.sources != nullptr && batch.bytes != nullptr);
  require_valid(batch.attributes != nullptr && batch.first_copies != nullptr && batch.attribute_count != 0 &&
                batch.attribute_count <= batch.count && batch.first_copies[0] == 0);
  for (std::size_t i = 0; i < batch.attribute_count; ++i) {
    check_order(batch.attributes[i].source_order, batch.attributes[i].flags);
    require_valid(batch.first_copies[i] < batch.count && (i == 0 || batch.first_copies[i] > batch.first_copies[i - 1]));
  }
  const std::size_t* const last = batch.first_copies + batch.attribute_count;
  make_all(context, batch.count, stream, failed, [&](std::size_t i) {
    const auto own = std::upper_bound(batch.first_copies, last, i) - batch.first_copies - 1;
    const std::size_t bytes = batch.bytes[i];
    require_valid(bytes != 0);
    return Prepared{{linear_box(context, batch.targets[i], bytes, Side::kEither),
                     linear_box(context, batch.sources[i], bytes, Side::kEither),
                     {bytes, 1, 1}},
                    batch.attributes[own].source_order};
  });
}

void copy_boxes(Context& context, const BoxBatch& batch, StreamHandle stream, std::size_t* failed) {
  set_none_failed(failed);
  require_valid(batch.count != 0 && batch.copies != nullptr && batch.flags == 0);
  make_all(context, batch.count, stream, failed, [&](std::size_t i) {
    const abi::CopyOfBatch& copy = batch.copies[i];
    check_order(copy.source_order, copy.flags);
    const std::size_t element = element_bytes(context, copy);
    const BoxSize size = {copy.extent.width * element, copy.extent.height, copy.extent.depth};
    require_valid(!size.empty() && size.width / element == copy.extent.width);
    return Prepared{{box_of(context, copy.target, size, element), box_of(context, copy.source, size, element), size},
                    copy.source_order};
  });
}

}  // namespace warpsim::cuda
