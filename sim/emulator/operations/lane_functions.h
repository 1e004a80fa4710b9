// Handlers generated from a function of one lane's values: `Function::of` takes the sources and returns the result.
#pragma once

#include <cstdint>

#include "base/host_vectors.h"
#include "emulator/execution/warp_context.h"
#include "emulator/operations/lanes.h"
#include "emulator/operations/operation.h"
#include "emulator/operations/operation_builder.h"

namespace warpsim {

template <class Function, class D, class A>
void map_one(WarpContext& warp, const Operation& operation, LaneMask lanes) {
  LaneWord<D>* const d = warp.write<D>(operation.d);
  const LaneWord<A>* const a = warp.read<A>(operation.a);
  set_lanes(d, lanes,
            [=](std::uint32_t lane) { return LaneStorage<D>::put(Function::of(LaneStorage<A>::get(a[lane]))); });
}

template <class Function, class D, class A, class B = A>
void map_two(WarpContext& warp, const Operation& operation, LaneMask lanes) {
  LaneWord<D>* const d = warp.write<D>(operation.d);
  const LaneWord<A>* const a = warp.read<A>(operation.a);
  const LaneWord<B>* const b = warp.read<B>(operation.b);
  set_lanes(d, lanes, [=](std::uint32_t lane) {
    return LaneStorage<D>::put(Function::of(LaneStorage<A>::get(a[lane]), LaneStorage<B>::get(b[lane])));
  });
}

template <class Function, class D, class A, class B = A, class C = D>
void map_three(WarpContext& warp, const Operation& operation, LaneMask lanes) {
  LaneWord<D>* const d = warp.write<D>(operation.d);
  const LaneWord<A>* const a = warp.read<A>(operation.a);
  const LaneWord<B>* const b = warp.read<B>(operation.b);
  const LaneWord<C>* const c = warp.read<C>(operation.c);
  set_lanes(d, lanes, [=](std::uint32_t lane) {
    return LaneStorage<D>::put(
        Function::of(LaneStorage<A>::get(a[lane]), LaneStorage<B>::get(b[lane]), LaneStorage<C>::get(c[lane])));
  });
}

// The same handler compiled for the host's vectors; chosen when a kernel is decoded.
template <Handler kHandler>
Handler best_for_host() {
  return form_for_host<kHandler>();
}

// Destination and up to four sources of an instruction, in PTX order.
struct OperandTypes {
  ptx::DataType d = ptx::DataType::kNone;
  ptx::DataType a = ptx::DataType::kNone;
  ptx::DataType b = ptx::DataType::kNone;
  ptx::DataType c = ptx::DataType::kNone;
};
inline void bind_operands(OperationBuilder& b, const OperandTypes& types) {
  b.operation.d = b.destination(0, types.d);
  b.operation.a = b.source(1, types.a);
  if (types.b != ptx::DataType::kNone) {
    b.operation.b = b.source(2, types.b);
  }
  if (types.c != ptx::DataType::kNone) {
    b.operation.c = b.source(3, types.c);
  }
}

template <class T>
struct TypeTag {
  using Type = T;
};

// visit(TypeTag<T>) for the C++ type of the integer type; `.b` types count as unsigned. Fails for other types.
template <class Visit>
Handler for_integer(const OperationBuilder& b, ptx::DataType type, Visit&& visit) {
  using ptx::DataType;
  switch (type) {
    case DataType::kB16:
    case DataType::kU16:
      return visit(TypeTag<std::uint16_t>{});
    case DataType::kB32:
    case DataType::kU32:
      return visit(TypeTag<std::uint32_t>{});
    case DataType::kB64:
    case DataType::kU64:
      return visit(TypeTag<std::uint64_t>{});
    case DataType::kS16:
      return visit(TypeTag<std::int16_t>{});
    case DataType::kS32:
      return visit(TypeTag<std::int32_t>{});
    case DataType::kS64:
      return visit(TypeTag<std::int64_t>{});
    default:
      b.fail("expected an integer type of 16, 32 or 64 bits");
  }
}

// The same for patterns of bits, independent of the kind of type.
template <class Visit>
Handler for_bits(const OperationBuilder& b, ptx::DataType type, Visit&& visit) {
  switch (bytes_of(type)) {
    case 2:
      return visit(TypeTag<std::uint16_t>{});
    case 4:
      return visit(TypeTag<std::uint32_t>{});
    case 8:
      return visit(TypeTag<std::uint64_t>{});
    default:
      b.fail("expected a type of 16, 32 or 64 bits");
  }
}

}  // namespace warpsim
