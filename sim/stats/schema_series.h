// Tables and views of time series and hot spots, made from their columns.
#pragma once

#include <string>

namespace warpsim {

// SQL statements.
std::string series_schema();
std::string hot_spot_schema();

}  // namespace warpsim
