#include "frontend/accelsim/listing_search.h"

#include <cxxabi.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "frontend/accelsim/input_stream.h"
#include "isa/sass_listing.h"

namespace warpsim {
namespace {

namespace fs = std::filesystem;

std::string demangled(const std::string& name) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status),
                                                    std::free);
  return status == 0 ? std::string(text.get()) : std::string();
}

bool is_listing_name(const std::string& name) {
  return name.ends_with(".sass") || name.ends_with(".sass.gz") || name.ends_with(".sass.xz") ||
         name.ends_with(".sass.zst");
}

std::optional<StaticProgram> search_file(const std::string& path, const ListingQuery& query) {
  const bool is_mangled = query.kernel.starts_with("_Z");
  SassListingParser parser(path, [&](std::string_view function, std::uint32_t architecture) {
    return architecture == query.architecture &&
           (function == query.kernel || (!is_mangled && demangled(std::string(function)) == query.kernel));
  });
  InputStream input(path);
  std::string_view line;
  while (!parser.found() && input.next_line(line)) {
    parser.line(line);
  }
  std::vector<StaticProgram> programs = parser.finish();
  if (programs.empty() || programs.front().instructions.empty()) {
    return std::nullopt;
  }
  return std::move(programs.front());
}

}  // namespace

std::vector<std::string> listing_files(const std::string& trace_path, const std::string& sass_file) {
  if (!sass_file.empty()) {
    return {sass_file};
  }
  const fs::path parent = fs::path(trace_path).parent_path();
  std::vector<std::string> names;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(parent.empty() ? fs::path(".") : parent, error)) {
    if (is_listing_name(entry.path().filename().string())) {
      names.push_back(entry.path().string());
    }
  }
  std::ranges::sort(names);
  return names;
}

std::optional<FoundListing> find_listing(const ListingQuery& query) {
  std::vector<std::string> files = listing_files(query.trace_path, query.sass_file);
  if (query.function) {
    const std::string named = fmt::format("func-{}.sass", *query.function);
    std::stable_partition(files.begin(), files.end(),
                          [&](const std::string& f) { return fs::path(f).filename() == named; });
  }
  for (const std::string& path : files) {
    if (auto program = search_file(path, query)) {
      return FoundListing{path, std::make_shared<const StaticProgram>(std::move(*program))};
    }
  }
  return std::nullopt;
}

}  // namespace warpsim
