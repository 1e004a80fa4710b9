#include "sweep/sweep_points.h"

#include <fmt/format.h>
#include <glob.h>
#include <xxhash.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "base/error.h"
#include "config/near_miss.h"

namespace warpsim {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostPoints = 100'000;
constexpr std::size_t kMostProblems = 20;  // shown at most: a wrong value may be wrong in every point

// The problems, each once.
class Problems {
 public:
  void add(const ConfigOrigin& where, const std::string& what) {
    const std::string line = where.position() + ": " + what;
    if (seen_.insert(line).second) {
      lines_.push_back(line);
    }
  }
  bool empty() const { return lines_.empty(); }
  void throw_if_any() const {
    if (lines_.empty()) {
      return;
    }
    const std::size_t shown = std::min(lines_.size(), kMostProblems);
    std::string text = fmt::format("{}", fmt::join(lines_.begin(), lines_.begin() + static_cast<long>(shown), "\n"));
    if (shown < lines_.size()) {
      text += fmt::format("\nand {} more problems like these", lines_.size() - shown);
    }
    throw ConfigError(text);
  }

 private:
  std::vector<std::string> lines_;
  std::set<std::string> seen_;
};

struct Gpu {
  std::string name;
  std::string file;
  ConfigOrigin origin;
};

struct Trace {
  std::string name;
  std::string path;
  std::string hash;
  std::string launches;
  ConfigOrigin origin;
};

// Values that a point sets, and their name.
struct Variant {
  std::vector<SweepSetting> settings;
  ConfigOrigin origin;

  std::string label() const {
    std::vector<std::string> texts;
    for (const SweepSetting& setting : settings) {
      texts.push_back(setting.override_text());
    }
    return texts.empty() ? "" : fmt::format("[{}]", fmt::join(texts, ","));
  }
};

// Paths that match, in order. The folder of the sweep is taken literally.
std::vector<std::string> matching_paths(const SweepFile& file, const std::string& pattern) {
  const fs::path inner(pattern);
  std::string escaped;
  if (!inner.is_absolute()) {
    for (const char c : fs::path(file.path).parent_path().string()) {
      escaped += std::string("*?[]\\").find(c) == std::string::npos ? std::string(1, c) : std::string("\\") + c;
    }
    escaped += escaped.empty() ? "" : "/";
  }
  glob_t found{};
  std::vector<std::string> paths;
  if (::glob((escaped + pattern).c_str(), 0, nullptr, &found) == 0) {
    for (std::size_t i = 0; i < found.gl_pathc; ++i) {
      const std::string path = fs::path(found.gl_pathv[i]).lexically_normal().string();
      paths.push_back(path.starts_with("-") ? "./" + path : path);
    }
  }
  ::globfree(&found);
  std::ranges::sort(paths);
  return paths;
}

class Expansion {
 public:
  Expansion(const SweepFile& file, SweepSubject& subject) : file_(file), subject_(subject) {}

  std::vector<SweepPoint> points() {
    find_gpus();
    find_traces();
    check_options();
    make_variants();
    problems_.throw_if_any();
    hash_configs();
    problems_.throw_if_any();
    make_points();
    problems_.throw_if_any();
    return std::move(points_);
  }

 private:
  void find_gpus() {
    std::set<std::string> names;
    for (const SweepText& gpu : file_.gpus) {
      if (!names.insert(fs::path(gpu.text).stem().string()).second) {
        problems_.add(gpu.origin, fmt::format("two GPUs are named '{}'", fs::path(gpu.text).stem().string()));
      }
      const bool is_path = gpu.text.find('/') != std::string::npos || gpu.text.ends_with(".yaml");
      gpus_.push_back({fs::path(gpu.text).stem().string(), is_path ? file_.resolved(gpu.text) : gpu.text, gpu.origin});
    }
  }

  void find_traces() {
    for (const SweepTrace& trace : file_.traces) {
      const std::vector<std::string> paths = matching_paths(file_, trace.pattern.text);
      if (paths.empty()) {
        problems_.add(trace.pattern.origin,
                      fmt::format("no trace matches '{}' (the path is relative to this file)", trace.pattern.text));
      }
      if (paths.size() > 1 && !trace.name.text.empty()) {
        problems_.add(trace.name.origin,
                      fmt::format("'name' names one trace, but {} match '{}'", paths.size(), trace.pattern.text));
      }
      if (!trace.launches.text.empty()) {
        check(trace.launches, {"--launches=" + trace.launches.text});
      }
      for (const std::string& path : paths) {
        add_trace(trace, path);
      }
    }
  }

  void add_trace(const SweepTrace& trace, const std::string& path) {
    try {
      const SweepSubject::Trace found = subject_.trace(path);
      const std::string& name = trace.name.text.empty() ? found.name : trace.name.text;
      traces_.push_back({name, path, found.content_hash, trace.launches.text, trace.pattern.origin});
    } catch (const UserError& error) {
      problems_.add(trace.pattern.origin, error.what());
    }
  }

  void check(const SweepText& text, const std::vector<std::string>& words) {
    try {
      subject_.check_options(words);
    } catch (const UsageError& error) {
      problems_.add(text.origin, error.what());
    }
  }

  void check_options() {
    std::vector<std::string> known;
    std::map<std::string, SweepSubject::Option> by_key;
    for (const SweepSubject::Option& option : subject_.options()) {
      std::string key = option.name;
      std::ranges::replace(key, '-', '_');
      known.push_back(key);
      by_key[key] = option;
    }
    for (const SweepOption& option : file_.options) {
      const auto found = by_key.find(option.key.text);
      if (found == by_key.end()) {
        problems_.add(option.key.origin, fmt::format("unknown option '{}'{}; expected {}", option.key.text,
                                                     did_you_mean(option.key.text, known), fmt::join(known, ", ")));
        continue;
      }
      add_option(option, found->second);
    }
  }

  void add_option(const SweepOption& option, const SweepSubject::Option& known) {
    const std::string& value = option.value.text;
    if (!known.is_switch) {
      options_.push_back("--" + known.name + "=" + value);
      check(option.value, {options_.back()});
    } else if (value == "true") {
      options_.push_back("--" + known.name);
    } else if (value != "false") {
      problems_.add(option.value.origin,
                    fmt::format("option '{}' must be true or false, got '{}'", option.key.text, value));
    }
  }

  void make_variants() {
    if (!file_.axes.empty()) {
      add_grid();
    }
    for (std::size_t i = 0; i < file_.points.size(); ++i) {
      variants_.push_back({file_.points[i], file_.point_origins[i]});
    }
    if (variants_.empty()) {
      variants_.push_back({{}, file_.origin});
    }
    std::map<std::string, ConfigOrigin> seen;
    for (const Variant& variant : variants_) {
      const auto [first, is_new] = seen.emplace(variant.label(), variant.origin);
      if (!is_new) {
        problems_.add(variant.origin,
                      fmt::format("the point {} appears twice, first from {}",
                                  variant.settings.empty() ? "{}" : variant.label(), first->second.position()));
      }
    }
    refuse_too_many(variants_.size());
  }

  void refuse_too_many(std::size_t variants) {
    if (variants * std::max<std::size_t>(1, traces_.size()) * std::max<std::size_t>(1, gpus_.size()) > kMostPoints) {
      problems_.add(file_.origin, fmt::format("more than {} points; split it into several sweeps", kMostPoints));
      problems_.throw_if_any();
    }
  }

  void add_grid() {
    std::size_t count = 1;
    for (const SweepAxis& axis : file_.axes) {
      count *= axis.values.size();
      refuse_too_many(count);
    }
    for (std::size_t number = 0; number < count; ++number) {
      Variant variant;
      variant.origin = file_.axes.front().path.origin;
      std::size_t block = count;
      for (const SweepAxis& axis : file_.axes) {
        block /= axis.values.size();
        variant.settings.push_back(axis.values[number / block % axis.values.size()]);
      }
      variants_.push_back(std::move(variant));
    }
  }

  std::vector<std::string> overrides(const Variant& variant) const {
    std::vector<std::string> texts;
    for (const std::vector<SweepSetting>* settings : {&file_.settings, &variant.settings}) {
      for (const SweepSetting& setting : *settings) {
        texts.push_back(setting.override_text());
      }
    }
    return texts;
  }

  void hash_configs() {
    for (const Gpu& gpu : gpus_) {
      std::vector<std::string>& hashes = config_hashes_.emplace_back();
      for (const Variant& variant : variants_) {
        try {
          hashes.push_back(subject_.config_hash(gpu.file, overrides(variant)));
        } catch (const UsageError& error) {
          problems_.add(gpu.origin, error.what());
          break;
        } catch (const ConfigError& error) {
          explain(error.what(), gpu, variant);
        }
      }
    }
  }

  // The simulator's message names the override; the user wrote it in the sweep.
  void explain(const std::string& what, const Gpu& gpu, const Variant& variant) {
    std::size_t begin = 0;
    while (begin <= what.size()) {
      const std::size_t end = std::min(what.find('\n', begin), what.size());
      explain_line(what.substr(begin, end - begin), gpu, variant);
      begin = end + 1;
    }
  }

  void explain_line(const std::string& line, const Gpu& gpu, const Variant& variant) {
    const std::string of_gpu = gpus_.size() > 1 ? fmt::format(" (of {})", gpu.name) : "";
    for (const std::vector<SweepSetting>* settings : {&file_.settings, &variant.settings}) {
      for (const SweepSetting& setting : *settings) {
        const std::string source = "--set " + setting.override_text() + ": ";
        if (line.starts_with(source)) {
          problems_.add(setting.origin, line.substr(source.size()) + of_gpu);
          return;
        }
      }
    }
    problems_.add(variant.origin, fmt::format("{}{}: {}", gpu.name, variant.label(), line));
  }

  void make_points() {
    std::map<std::string, const Trace*> names;
    for (const Trace& trace : traces_) {
      for (std::size_t g = 0; g < gpus_.size(); ++g) {
        for (std::size_t v = 0; v < variants_.size(); ++v) {
          SweepPoint point = make_point(trace, g, v);
          const auto [first, is_new] = names.emplace(point.name, &trace);
          if (!is_new) {
            problems_.add(trace.origin, fmt::format("two points would be named {}: of {} and {}; a trace can be given "
                                                    "a name: {{path: PATH, name: NAME}}",
                                                    point.name, first->second->path, trace.path));
          }
          points_.push_back(std::move(point));
        }
      }
    }
    refuse_equal_keys();
  }

  SweepPoint make_point(const Trace& trace, std::size_t gpu, std::size_t variant) const {
    SweepPoint point;
    point.name = trace.name + "@" + gpus_[gpu].name + variants_[variant].label();
    point.trace_hash = trace.hash;
    point.config_hash = config_hashes_[gpu][variant];
    point.words = {"run", trace.path, "--gpu=" + gpus_[gpu].file, "--name=" + point.name, "--progress=never"};
    for (const std::string& text : overrides(variants_[variant])) {
      point.words.push_back("--set=" + text);
    }
    std::vector<std::string> options = options_;
    if (!trace.launches.empty()) {
      options.push_back("--launches=" + trace.launches);
    }
    point.words.insert(point.words.end(), options.begin(), options.end());
    std::ranges::sort(options);
    const std::string text = fmt::format("{}\n{}\n{}\n{}\n{}", subject_.version(), point.name, trace.hash,
                                         point.config_hash, fmt::join(options, "\n"));
    point.key = fmt::format("{:016x}", XXH64(text.data(), text.size(), 0));
    return point;
  }

  // The probability is 10^-10 for a hundred thousand points, but a wrong result would stay unnoticed.
  void refuse_equal_keys() {
    std::set<std::string> keys;
    for (const SweepPoint& point : points_) {
      if (problems_.empty() && !keys.insert(point.key).second) {
        problems_.add(file_.origin, "two points have the same hash; give a trace another name");
      }
    }
  }

  const SweepFile& file_;
  SweepSubject& subject_;
  Problems problems_;
  std::vector<Gpu> gpus_;
  std::vector<Trace> traces_;
  std::vector<std::string> options_;
  std::vector<Variant> variants_;
  std::vector<std::vector<std::string>> config_hashes_;  // by GPU and variant
  std::vector<SweepPoint> points_;
};

}  // namespace

std::vector<SweepPoint> expand_sweep(const SweepFile& file, SweepSubject& subject) {
  return Expansion(file, subject).points();
}

}  // namespace warpsim
