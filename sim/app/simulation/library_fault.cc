#include "app/simulation/library_fault.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <new>
#include <set>

#include "base/error.h"
#include "warpsim/mechanism.h"

namespace warpsim {

namespace {

// Beside the name of a library's mechanism a description has the hash of the library's file.
std::set<std::string> library_mechanisms(const std::vector<ConfigValue>& description) {
  const std::string hash = "_library";
  std::set<std::string> keys;
  for (const ConfigValue& value : description) {
    if (value.origin == "derived" && value.path.ends_with(hash)) {
      keys.insert(value.path.substr(0, value.path.size() - hash.size()));
    }
  }
  std::set<std::string> names;
  for (const ConfigValue& value : description) {
    if (keys.contains(value.path)) {
      names.insert(value.text);
    }
  }
  return names;
}

}  // namespace

void rethrow_with_libraries(const std::vector<ConfigValue>& description) {
  try {
    throw;
  } catch (const mechanism::UnassignedCounter& error) {
    throw ConfigError(error.what());
  } catch (const UserError&) {
    throw;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::filesystem::filesystem_error&) {
    throw;
  } catch (const std::exception& error) {
    const std::set<std::string> names = library_mechanisms(description);
    if (names.empty()) {
      throw;
    }
    throw LibraryFault(fmt::format("{}\nThe run uses mechanisms of libraries, and the error may be theirs: {}",
                                   error.what(), fmt::join(names, ", ")));
  }
}

}  // namespace warpsim
