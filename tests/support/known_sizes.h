// A compression with sizes that the test sets: sectors of each line, and of all others.
#pragma once

#include <map>

#include "support/shared_factory.h"
#include "warpsim/compression.h"

namespace warpsim {

struct KnownSizesTable {
  std::map<mechanism::Address, std::uint32_t> lines;
  std::uint32_t others = 4;
  std::uint32_t cycles = 0;
};

class KnownSizes final : public mechanism::Compression {
 public:
  KnownSizes(KnownSizesTable& table, const mechanism::CompressionSite& /*site*/) : table_(&table) {}
  std::uint32_t sectors(mechanism::Address line) const override {
    const auto found = table_->lines.find(line);
    return found == table_->lines.end() ? table_->others : found->second;
  }
  std::uint32_t decompression_cycles() const override { return table_->cycles; }

 private:
  KnownSizesTable* table_;
};

using KnownSizesFactory = SharedFactory<KnownSizes, KnownSizesTable>;

}  // namespace warpsim
