#include "isa/lowering.h"

#include <algorithm>
#include <array>
#include <utility>

#include "isa/opcode_lookup.h"
#include "isa/opcode_text.h"

namespace warpsim {

namespace {

std::string_view trimmed(std::string_view text) {
  const auto is_space = [](char c) { return c == ' ' || c == ','; };
  while (!text.empty() && is_space(text.front())) {
    text.remove_prefix(1);
  }
  while (!text.empty() && is_space(text.back())) {
    text.remove_suffix(1);
  }
  return text;
}

// The letters after a step's opcode, without blanks and commas.
std::string letters_of(std::string_view text) {
  std::string letters;
  for (const char c : text) {
    if (c != ' ' && c != ',') {
      letters += c;
    }
  }
  return letters;
}

bool take_suffix(std::string& letters, char suffix) {
  if (letters.empty() || letters.back() != suffix) {
    return false;
  }
  letters.pop_back();
  return true;
}

// The mark at the end that states what is repeated, with its number.
struct RepeatMark {
  StepRepeat repeat = StepRepeat::kOnce;
  std::uint32_t lane_work = 0;
};
RepeatMark take_repeat(std::string& letters) {
  const std::size_t at = letters.find_first_of("*#~");
  if (at == std::string::npos) {
    return {};
  }
  RepeatMark mark;
  mark.repeat = letters[at] == '*'   ? StepRepeat::kMultiplyAdds
                : letters[at] == '#' ? StepRepeat::kSharedOperands
                                     : StepRepeat::kCopy;
  for (std::size_t i = at + 1; i < letters.size(); ++i) {
    mark.lane_work = mark.lane_work * 10 + static_cast<std::uint32_t>(letters[i] - '0');
  }
  letters.resize(at);
  return mark;
}

// "XMAD d, a, b": opcode, then letters.
LoweredStep parse_step(std::string_view text, std::string_view source_modifiers) {
  LoweredStep step;
  const std::size_t space = std::min(text.find(' '), text.size());
  step.opcode = std::string(text.substr(0, space));
  std::string letters = letters_of(text.substr(space));
  const RepeatMark mark = take_repeat(letters);
  step.repeat = mark.repeat;
  step.lane_work = mark.lane_work;
  step.operates = take_suffix(letters, '!');
  if (take_suffix(letters, 'm')) {
    step.access = StepAccess::kRecorded;
    step.opcode += source_modifiers;
  } else if (take_suffix(letters, 's')) {
    step.access = StepAccess::kShared;
  } else if (take_suffix(letters, 'g')) {
    step.access = StepAccess::kGlobal;
  }
  if (!letters.empty()) {
    step.destination = letters.front();
    step.sources = letters.substr(1);
  }
  return step;
}

// The steps of a sequence; groups are numbered from 1.
std::vector<LoweredStep> parse_sequence(std::string_view text, std::string_view source_modifiers) {
  std::vector<LoweredStep> steps;
  std::size_t open = std::string_view::npos;  // first step of the group being read
  std::uint32_t groups = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(';'), text.size());
    std::string_view part = trimmed(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (part.starts_with('(')) {
      open = steps.size();
      part.remove_prefix(1);
    }
    const std::size_t close = std::min(part.find(')'), part.size());
    steps.push_back(parse_step(part.substr(0, close), source_modifiers));
    if (close != part.size()) {
      std::string letters(part.substr(close + 1));
      const RepeatMark mark = take_repeat(letters);
      ++groups;
      for (std::size_t i = open; i < steps.size(); ++i) {
        steps[i].repeat = mark.repeat;
        steps[i].lane_work = mark.lane_work;
        steps[i].group = groups;
      }
      open = std::string_view::npos;
    } else if (steps.back().repeat != StepRepeat::kOnce) {
      steps.back().group = ++groups;
    }
  }
  return steps;
}

// Whether the modifier, or several in a row, are among those of the opcode.
bool has_modifiers(std::string_view opcode, std::string_view modifiers) {
  for (std::size_t at = opcode.find(modifiers); at != std::string_view::npos; at = opcode.find(modifiers, at + 1)) {
    const std::size_t end = at + modifiers.size();
    if (at > 0 && opcode[at - 1] == '.' && (end == opcode.size() || opcode[end] == '.')) {
      return true;
    }
  }
  return false;
}

const LoweringRow* row_for(std::string_view opcode, std::uint32_t architecture) {
  const OpcodeText text(opcode);
  const std::span<const LoweringRow> rows = lowering_rows();
  for (auto row = std::ranges::lower_bound(rows, text.base(), {}, &LoweringRow::opcode);
       row != rows.end() && row->opcode == text.base(); ++row) {
    const bool applies = architecture >= row->first && architecture <= row->last;
    if (applies && (row->modifier.empty() || has_modifiers(opcode, row->modifier))) {
      return row->sequence == "=" ? nullptr : &*row;
    }
  }
  return nullptr;
}

// Writes native steps, with temporaries that no previous step has used.
class Expansion {
 public:
  explicit Expansion(std::uint32_t architecture) : architecture_(architecture) {}

  // Returns false if a step is missing.
  bool add(const LoweredStep& step) {
    const LoweringRow* row = row_for(step.opcode, architecture_);
    if (row == nullptr) {
      steps.push_back(step);
      return true;
    }
    return !row->sequence.empty() && add_sequence(*row, step);
  }

  std::vector<LoweredStep> steps;

 private:
  bool add_sequence(const LoweringRow& row, const LoweredStep& outer) {
    std::array<char, 256> names{};
    const auto rename = [&](char letter) {
      char& name = names[static_cast<unsigned char>(letter)];
      if (name == 0) {
        const auto source = static_cast<std::size_t>(letter - 'a');
        name = letter == '-' ? '-' : letter == 'd' ? outer.destination : source >= 3 ? next_temporary() : '-';
        if (source < outer.sources.size() && source < 3) {
          name = outer.sources[source];
        }
      }
      return name;
    };
    const std::string_view modifiers = std::string_view(outer.opcode).substr(row.opcode.size());
    std::vector<LoweredStep> inner = parse_sequence(row.sequence, modifiers);
    inner.back().operates = inner.back().operates || outer.operates;
    const std::uint32_t groups_before = groups_;
    groups_ += std::ranges::max(inner, {}, &LoweredStep::group).group;
    for (LoweredStep& step : inner) {
      step.destination = rename(step.destination);
      std::ranges::transform(step.sources, step.sources.begin(), rename);
      step.group += step.group != 0 ? groups_before : 0;
      repeat_as(outer, step);
      if (!add(step)) {
        return false;
      }
    }
    return true;
  }

  // The repetition of a repeated step: all its steps together, or the group that its row names, with the count of
  // the outermost repetition.
  static void repeat_as(const LoweredStep& outer, LoweredStep& step) {
    if (outer.repeat == StepRepeat::kOnce) {
      return;
    }
    step.repeat = outer.repeat;
    if (step.group == 0) {
      step.group = outer.group;
      step.lane_work = outer.lane_work;
    }
  }

  // After Z the names repeat: a false dependence in the longest sequences.
  char next_temporary() { return std::exchange(next_, next_ == 'Z' ? 'A' : static_cast<char>(next_ + 1)); }

  std::uint32_t architecture_;
  std::uint32_t groups_ = 0;
  char next_ = 'A';
};

}  // namespace

Lowering lower(std::string_view opcode, std::uint32_t architecture) {
  if (row_for(opcode, architecture) == nullptr) {
    return {};
  }
  const LoweredStep whole{.opcode = std::string(opcode), .destination = 'd', .sources = "abc"};
  Expansion expansion(architecture);
  if (!expansion.add(whole)) {
    return {Nativity::kMissing, {}};
  }
  return {Nativity::kSequence, std::move(expansion.steps)};
}

}  // namespace warpsim
