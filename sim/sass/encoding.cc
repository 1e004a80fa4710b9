#include "sass/encoding.h"

#include <string_view>

#include "sass/encoding_parser.h"

namespace warpsim::sass {

void Encoding::know_bit(std::uint32_t bit) {
  if (bit != kNoBit) {
    (bit < 64 ? known.low : known.high) |= std::uint64_t{1} << (bit % 64);
  }
}

void Encoding::know(const BitField& bits) {
  for (std::uint32_t i = 0; i < bits.count; ++i) {
    for (std::uint32_t bit = bits.runs[i].first; bit <= bits.runs[i].last; ++bit) {
      know_bit(bit);
    }
  }
}

EncodingTable::EncodingTable(std::uint32_t architecture) : names_(read_name_lists(architecture)), by_opcode_(0x2000) {
  for (const EncodingRow& row : encoding_rows()) {
    if (architecture < row.from || architecture > row.to) {
      continue;
    }
    const std::string_view forms = row.forms;
    if (forms.empty()) {
      encodings_.push_back(read_row(row, 0, false, names_));
      continue;
    }
    for (const char form : forms) {
      if (form == ' ') {
        continue;
      }
      const auto number = static_cast<std::uint32_t>(form - '0');
      encodings_.push_back(read_row(row, number, false, names_));
      if ((number == 3 || number == 5) && architecture >= 75) {
        encodings_.push_back(read_row(row, number, true, names_));
      }
    }
  }
  for (std::size_t i = 0; i < encodings_.size(); ++i) {
    by_opcode_[encodings_[i].opcode].push_back(static_cast<std::uint16_t>(i));
  }
}

std::vector<std::uint32_t> EncodingTable::architectures() {
  return {70, 75, 80, 86, 89, 90};
}

template <std::uint32_t kArchitecture>
const EncodingTable* EncodingTable::built() {
  static const EncodingTable table(kArchitecture);
  return &table;
}

const EncodingTable* EncodingTable::of(std::uint32_t architecture) {
  switch (architecture) {
    case 70:
      return built<70>();
    case 75:
      return built<75>();
    case 80:
      return built<80>();
    case 86:
      return built<86>();
    case 89:
      return built<89>();
    case 90:
      return built<90>();
    default:
      return nullptr;
  }
}

std::span<const std::uint16_t> EncodingTable::with(std::uint32_t opcode) const {
  return by_opcode_[opcode];
}

}  // namespace warpsim::sass
