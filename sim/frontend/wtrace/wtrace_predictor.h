// Predicts the origin (the address of lane 0) of the next record of one address column of the native trace format.
// Writer and reader run the same predictor over the same records; only the difference is stored. Rules and names are
// those of docs/trace-format.md, section "Origins". Arithmetic is modulo 2^64.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/types.h"

namespace warpsim::wtrace {

enum class OriginRule : std::uint8_t {
  kLast = 0,       // the previous record
  kLinear = 1,     // continues the difference of the two previous records
  kWarpPlane = 2,  // changes like the same occurrence in an earlier warp
  kBlockPlane = 3  // changes like the same occurrence in the same warp of an earlier block
};
inline constexpr std::uint32_t kOriginRuleCount = 4;

class OriginPredictor {
 public:
  OriginPredictor(OriginRule rule, Address first_origin, std::uint32_t warps_per_block)
      : rule_(rule),
        last_(first_origin),
        before_last_(first_origin),
        rows_(rule == OriginRule::kBlockPlane  ? warps_per_block
              : rule == OriginRule::kWarpPlane ? 1
                                               : 0) {}

  // `warp` is the number in its block, `serial` differs between any two warps.
  Address predict(std::uint32_t warp, std::uint64_t serial) {
    if (rule_ == OriginRule::kLast) {
      return last_;
    }
    if (rule_ == OriginRule::kLinear) {
      return last_ + (last_ - before_last_);
    }
    if (serial != serial_) {
      serial_ = serial;
      occurrence_ = 0;
      row_ = &rows_[rule_ == OriginRule::kBlockPlane ? warp : 0];
    }
    if (occurrence_ == 0) {
      return row_->started ? row_->first + row_->step : last_;
    }
    if (occurrence_ <= row_->later.size()) {
      return last_ + (row_->later[occurrence_ - 1] - replaced_);
    }
    return occurrence_ == 1 ? last_ : last_ + (last_ - before_last_);
  }

  // Must follow each predict(), with the actual origin.
  void update(Address origin) {
    if (rule_ >= OriginRule::kWarpPlane) {
      record_in_row(origin);
    }
    before_last_ = last_;
    last_ = origin;
  }

 private:
  static constexpr std::size_t kFirstReserve = 15;

  // The origins of a warp's records by occurrence, each as recorded last. The first is separate: most columns have
  // one record per warp, and need no allocation then.
  struct Row {
    bool started = false;
    Address first = 0;
    Address step = 0;  // last change of `first`
    std::vector<Address> later;
  };

  void record_in_row(Address origin) {
    Row& row = *row_;
    if (occurrence_ == 0) {
      replaced_ = row.first;
      row.step = row.started ? origin - row.first : 0;
      row.first = origin;
      row.started = true;
    } else if (occurrence_ <= row.later.size()) {
      replaced_ = std::exchange(row.later[occurrence_ - 1], origin);
    } else {
      if (row.later.empty()) {
        row.later.reserve(kFirstReserve);
      }
      row.later.push_back(origin);
    }
    ++occurrence_;
  }

  OriginRule rule_;
  Address last_;
  Address before_last_;
  Address replaced_ = 0;  // value of the row for the previous record
  std::uint64_t serial_ = ~std::uint64_t{0};
  std::size_t occurrence_ = 0;
  Row* row_ = nullptr;
  std::vector<Row> rows_;
};

}  // namespace warpsim::wtrace
