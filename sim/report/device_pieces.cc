#include "report/device_pieces.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>
#include <utility>

#include "base/error.h"

namespace warpsim {

namespace {

class Row {
 public:
  Row(const QueryTable& table, std::size_t number) : table_(table), number_(number) {}

  std::int64_t integer(std::string_view column) const { return table_.integer(number_, column); }
  std::optional<std::int64_t> optional(std::string_view column) const {
    return std::holds_alternative<std::monostate>(cell(column)) ? std::nullopt : std::optional(integer(column));
  }
  std::string text(std::string_view column) const { return text_of(cell(column)); }
  double number(std::string_view column) const {
    const std::optional<double> value = number_in(cell(column));
    if (!value || !std::isfinite(*value) || *value < 0) {
      throw DatabaseError(table_.source + ": a piece of work of a device has no valid " + std::string(column));
    }
    return *value;
  }
  std::uint64_t nanoseconds(std::string_view column) const {
    constexpr double kPerMicrosecond = 1000;
    return static_cast<std::uint64_t>(std::llround(number(column) * kPerMicrosecond));
  }

 private:
  const Cell& cell(std::string_view column) const { return table_.at(number_, column); }

  const QueryTable& table_;
  std::size_t number_;
};

DevicePiece piece_of(const Row& row) {
  DevicePiece piece;
  piece.index = row.integer("work_index");
  piece.kind = row.text("kind");
  piece.kernel = row.text("kernel");
  piece.launch = row.optional("launch_index");
  piece.peer = row.optional("peer_device");
  piece.stream = row.integer("stream");
  piece.in_graph = row.integer("in_graph") != 0;
  piece.priority = row.integer("priority");
  piece.bytes = row.integer("bytes");
  piece.waited_for_work = row.number("waited_for_work_us");
  piece.waited_for_queue = row.number("waited_for_queue_us");
  piece.waited_for_place = row.number("waited_for_place_us");
  piece.submitted = row.nanoseconds("submitted_us");
  piece.start = row.nanoseconds("start_us");
  piece.end = std::max(piece.start, row.nanoseconds("end_us"));
  return piece;
}

}  // namespace

std::vector<DevicePieces> device_pieces(const QueryTable& work) {
  std::map<std::pair<std::int64_t, std::int64_t>, DevicePieces> devices;
  for (std::size_t i = 0; i < work.rows.size(); ++i) {
    const Row row(work, i);
    DevicePieces& device = devices[{row.integer("run_id"), row.integer("device")}];
    device.run = row.text("run_name");
    device.gpu = row.text("gpu");
    device.device = row.integer("device");
    device.pieces.push_back(piece_of(row));
  }
  std::vector<DevicePieces> all;
  for (auto& [key, device] : devices) {
    std::ranges::stable_sort(device.pieces, [](const DevicePiece& a, const DevicePiece& b) {
      return std::pair(a.start, a.index) < std::pair(b.start, b.index);
    });
    all.push_back(std::move(device));
  }
  return all;
}

std::vector<std::vector<std::size_t>> lanes_of(const std::vector<DevicePiece>& pieces,
                                               const std::vector<std::size_t>& chosen) {
  std::vector<std::vector<std::size_t>> lanes;
  for (const std::size_t piece : chosen) {
    const auto free = std::ranges::find_if(
        lanes, [&](const std::vector<std::size_t>& lane) { return pieces[lane.back()].end <= pieces[piece].start; });
    (free == lanes.end() ? lanes.emplace_back() : *free).push_back(piece);
  }
  return lanes;
}

}  // namespace warpsim
