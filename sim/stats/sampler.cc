#include "stats/sampler.h"

#include <algorithm>
#include <string_view>

#include "base/check.h"

namespace warpsim {

namespace {

void put(std::vector<std::uint8_t>& bytes, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7U) {
    bytes.push_back(static_cast<std::uint8_t>(value | 0x80U));
  }
  bytes.push_back(static_cast<std::uint8_t>(value));
}

std::uint64_t get(const std::vector<std::uint8_t>& bytes, std::size_t& at) {
  std::uint64_t value = 0;
  for (std::uint32_t shift = 0;; shift += 7) {
    const std::uint8_t byte = bytes[at++];
    value |= static_cast<std::uint64_t>(byte & 0x7fU) << shift;
    if (byte < 0x80) {
      return value;
    }
  }
}

// The names in "a, b.c, d", one after another.
template <class Use>
void for_names(std::string_view list, Use&& use) {
  while (!list.empty()) {
    const std::size_t comma = list.find(", ");
    use(list.substr(0, comma));
    list = comma == std::string_view::npos ? std::string_view() : list.substr(comma + 2);
  }
}

// All statistics of `group` with the path "child.child.name"; children with equal names are several instances.
template <class Use>
void find(const StatGroup& group, std::string_view path, Use&& use) {
  const std::size_t dot = path.find('.');
  if (dot == std::string_view::npos) {
    use(group, path);
    return;
  }
  for (const StatGroup* child : group.children()) {
    if (path.substr(0, dot) == child->name()) {
      find(*child, path.substr(dot + 1), use);
    }
  }
}

}  // namespace

// A row: cycles since the previous row, length of the interval, instance, mask of the columns that are not 0, these
// columns.
void SampleSeries::add(std::size_t table, const Row& row) {
  SIM_CHECK(row.values.size() <= 64, "a time series has more columns than a row can name");
  Packed& packed = tables_[table];
  packed.width = row.values.size();
  put(packed.bytes, row.cycle - packed.last_cycle);
  put(packed.bytes, row.cycles);
  put(packed.bytes, row.instance);
  packed.last_cycle = row.cycle;
  std::uint64_t present = 0;
  for (std::size_t i = 0; i < row.values.size(); ++i) {
    present |= static_cast<std::uint64_t>(row.values[i] != 0 ? 1 : 0) << i;
  }
  put(packed.bytes, present);
  for (const std::uint64_t value : row.values) {
    if (value != 0) {
      put(packed.bytes, value);
    }
  }
}

void SampleSeries::for_each(std::size_t table, const std::function<void(const Row&)>& visit) const {
  const auto found = tables_.find(table);
  if (found == tables_.end()) {
    return;
  }
  const Packed& packed = found->second;
  std::vector<std::uint64_t> values(packed.width);
  Row row;
  for (std::size_t at = 0; at < packed.bytes.size();) {
    row.cycle += get(packed.bytes, at);
    row.cycles = get(packed.bytes, at);
    row.instance = static_cast<std::uint32_t>(get(packed.bytes, at));
    const std::uint64_t present = get(packed.bytes, at);
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] = (present >> i & 1U) != 0 ? get(packed.bytes, at) : 0;
    }
    row.values = values;
    visit(row);
  }
}

bool SampleSeries::empty() const {
  return tables_.empty();
}

Sampler::Sampler(const StatGroup& root) {
  const std::span<const SampleTable> tables = sample_tables();
  tables_.resize(tables.size());
  std::size_t offset = tables.back().columns.size();
  for (std::size_t i = 0; i < tables.size(); ++i) {
    tables_[i].columns = tables[i].columns.size();
    tables_[i].may_rest = std::string_view(tables[i].component) == "sm";
    if (is_of_device(tables[i])) {
      add_instance(i, root, 0);
      continue;
    }
    tables_[i].device_offset = offset;
    offset += tables[i].columns.size();
    for (const StatGroup* child : root.children()) {
      if (std::string_view(child->name()) == tables[i].component) {
        add_instance(i, *child, child->index());
      }
    }
  }
  device_row_.resize(offset);
}

void Sampler::add_instance(std::size_t table, const StatGroup& group, std::uint32_t number) {
  const std::span<const SampleColumn> columns = sample_tables()[table].columns;
  Instance instance;
  instance.number = number;
  instance.before.resize(columns.size());
  for (std::uint32_t column = 0; column < columns.size(); ++column) {
    for_names(columns[column].statistics, [&](std::string_view path) {
      find(group, path, [&](const StatGroup& place, std::string_view name) {
        for (const NamedCounter& counter : place.counters()) {
          if (!columns[column].gauge && name == counter.name()) {
            instance.sources.push_back({&counter.counter(), column});
          }
        }
        for (const Gauge* gauge : place.gauges()) {
          if (columns[column].gauge && name == gauge->name()) {
            instance.gauges.push_back({gauge, column});
          }
        }
      });
    });
  }
  tables_[table].instances.push_back(std::move(instance));
}

void Sampler::begin() {
  cycle_ = 0;
  series_ = {};
  for (Table& table : tables_) {
    for (Instance& instance : table.instances) {
      std::ranges::fill(instance.before, 0);
    }
  }
}

bool Sampler::rests(const Instance& instance) const {
  return !instance.sources.empty() && instance.sources.front().counter->value() == instance.before.front();
}

bool Sampler::read(Instance& instance, std::size_t columns) {
  row_.assign(columns, 0);
  for (const Source& source : instance.sources) {
    row_[source.column] += source.counter->value();
  }
  bool anything = false;
  for (std::size_t i = 0; i < columns; ++i) {
    const std::uint64_t total = row_[i];
    row_[i] -= instance.before[i];
    instance.before[i] = total;
    anything = anything || row_[i] != 0;
  }
  for (const GaugeSource& source : instance.gauges) {
    row_[source.column] = source.gauge->value();
    instance.before[source.column] = 0;
    anything = anything || row_[source.column] != 0;
  }
  return anything;
}

void Sampler::take(Cycle cycle, bool last) {
  SIM_CHECK(cycle > cycle_, "an interval of a time series is empty");
  const Cycle cycles = cycle - cycle_;
  cycle_ = cycle;
  std::ranges::fill(device_row_, 0);
  const std::size_t device = tables_.size() - 1;
  for (std::size_t i = 0; i < tables_.size(); ++i) {
    Table& table = tables_[i];
    for (Instance& instance : table.instances) {
      if ((table.may_rest && !last && rests(instance)) || !read(instance, table.columns)) {
        continue;
      }
      for (std::size_t column = 0; column < table.columns; ++column) {
        device_row_[table.device_offset + column] += row_[column];
      }
      if (i != device) {
        series_.add(i, {cycle, cycles, instance.number, row_});
      }
    }
  }
  series_.add(device, {cycle, cycles, 0, device_row_});
}

}  // namespace warpsim
