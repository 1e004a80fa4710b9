#include "support/instruction_forms.h"

#include <cstdlib>
#include <map>
#include <sstream>
#include <stdexcept>

namespace warpsim::test {

namespace {

using Values = std::vector<std::uint64_t>;

constexpr std::size_t kWarp = 32;
constexpr const char* kNames[] = {"d", "a", "b", "c", "e"};

// The text with the first <x|y> replaced by each of its alternatives, and so on.
void expand(const std::string& text, std::vector<std::string>& forms) {
  const std::size_t begin = text.find('<');
  if (begin == std::string::npos) {
    forms.push_back(text);
    return;
  }
  const std::size_t end = text.find('>', begin);
  if (end == std::string::npos) {
    throw std::runtime_error("'<' without '>': " + text);
  }
  std::istringstream inner(text.substr(begin + 1, end - begin - 1) + "|");
  for (std::string choice; std::getline(inner, choice, '|');) {
    expand(text.substr(0, begin) + choice + text.substr(end + 1), forms);
  }
}

// The same on every machine (splitmix64).
class Random {
 public:
  std::uint64_t next() {
    state_ += 0x9e3779b97f4a7c15;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111eb;
    return z ^ (z >> 31U);
  }

 private:
  std::uint64_t state_ = 1;
};

unsigned bits_of(const std::string& type) {
  if (type == "pred") {
    return 1;
  }
  return static_cast<unsigned>(std::atoi(type.c_str() + type.find_first_of("123468")));
}

// Random bits; three of four floating-point ones have an exponent close to that of 1.
std::uint64_t random_value(const std::string& type, Random& random) {
  const std::uint64_t bits = random.next();
  const std::uint64_t shift = random.next() >> 60U;  // 0 to 15
  const bool near = random.next() % 4 != 0;
  if (type == "f32" && near) {
    return (bits & 0x807fffff) | (119 + shift) << 23U;
  }
  if (type == "f64" && near) {
    return (bits & 0x800fffffffffffff) | (1015 + shift) << 52U;
  }
  const unsigned width = bits_of(type);
  return width == 64 ? bits : bits & ((std::uint64_t{1} << width) - 1);
}

void read_rows(std::istringstream& words, const std::map<std::string, Values>& sets, FormGroup& group) {
  std::vector<Values> columns;
  std::size_t random_rows = 0;
  for (std::string word; words >> word;) {
    if (word[0] == '+') {
      random_rows = std::stoul(word.substr(1));
    } else {
      columns.push_back(sets.at(word));
    }
  }
  // With one operand and several sets, the sets follow each other.
  if (group.types.size() == 2) {
    for (const Values& column : columns) {
      for (const std::uint64_t value : column) {
        group.rows.push_back({value});
      }
    }
  } else {
    group.rows.push_back({});
    for (const Values& column : columns) {
      std::vector<Values> longer;
      for (const Values& row : group.rows) {
        for (const std::uint64_t value : column) {
          longer.push_back(row);
          longer.back().push_back(value);
        }
      }
      group.rows = std::move(longer);
    }
  }
  Random random;
  for (std::size_t i = 0; i < random_rows; ++i) {
    Values row;
    for (std::size_t source = 1; source < group.types.size(); ++source) {
      row.push_back(random_value(group.types[source], random));
    }
    group.rows.push_back(row);
  }
  for (std::size_t i = 0; group.rows.size() % kWarp != 0; ++i) {
    group.rows.push_back(Values(group.rows[i]));  // a copy: the row moves when the list grows
  }
}

std::string declarations(const FormGroup& group) {
  std::string text =
      ".reg .pred p, q;\n.reg .b16 h, i;\n.reg .b32 x, y, s, %t, %n;\n.reg .b64 v, w, m, %in, %out, %at;\n"
      ".shared .align 16 .b8 own[512];\n";
  for (std::size_t i = 0; i < group.types.size(); ++i) {
    text += ".reg ." + group.types[i] + " " + kNames[i] + ";\n";
  }
  return text;
}

std::string kernel_text(const FormGroup& group, std::size_t number) {
  std::string text = ".visible .entry f" + std::to_string(number) +
                     "(.param .u64 in, .param .u64 out, .param .u64 scratch) {\n" + declarations(group) +
                     "ld.param.u64 %in, [in];\nld.param.u64 %out, [out];\nld.param.u64 m, [scratch];\n"
                     "mov.u32 %t, %tid.x;\nmov.u32 s, own;\nmad.lo.u32 s, %t, 16, s;\n"
                     "mov.u32 %n, %ctaid.x;\nmad.lo.u32 %t, %n, 32, %t;\n"
                     "mul.wide.u32 %at, %t, 32;\nadd.u64 %in, %in, %at;\n"
                     "mul.wide.u32 %at, %t, 8;\nadd.u64 %out, %out, %at;\n"
                     "mul.wide.u32 %at, %t, 16;\nadd.u64 m, m, %at;\nmov.b32 x, 0;\nsetp.ne.b32 q, x, 0;\n";
  for (std::size_t i = 1; i < group.types.size(); ++i) {
    const std::string place = ", [%in+" + std::to_string(8 * (i - 1)) + "];\n";
    text += group.types[i] == "pred" ? std::string("ld.global.u32 x") + place + "setp.ne.u32 " + kNames[i] + ", x, 0;\n"
                                     : "ld.global." + group.types[i] + " " + kNames[i] + place;
  }
  text += group.forms[number] + "\n";
  text += group.types[0] == "pred" ? "selp.b32 x, 1, 0, d;\nst.global.u32 [%out], x;\n"
                                   : "st.global." + group.types[0] + " [%out], d;\n";
  return text + "ret;\n}\n";
}

}  // namespace

std::vector<FormGroup> read_form_groups(std::istream& text) {
  std::map<std::string, Values> sets;
  std::vector<FormGroup> groups;
  for (std::string line; std::getline(text, line);) {
    std::istringstream words(line);
    std::string first;
    words >> first;
    if (first.empty() || first[0] == '#') {
      continue;
    }
    if (first == "set") {
      std::string name;
      words >> name >> std::hex;
      for (std::uint64_t value = 0; words >> value;) {
        sets[name].push_back(value);
      }
    } else if (first == "group") {
      groups.emplace_back();
      words >> groups.back().name;
    } else if (groups.empty()) {
      throw std::runtime_error("expected a set or a group: " + line);
    } else if (first == "types") {
      for (std::string type; words >> type;) {
        groups.back().types.push_back(type);
      }
    } else if (first == "rows") {
      read_rows(words, sets, groups.back());
    } else if (first == "contradicts") {
      std::vector<std::string> forms;
      expand(line.substr(line.find_first_not_of(' ', first.size())), forms);
      groups.back().contradicting.insert(forms.begin(), forms.end());
    } else {
      expand(line, groups.back().forms);
    }
  }
  return groups;
}

std::string module_text(const FormGroup& group) {
  std::string text = ".version 8.6\n.target sm_90a\n.address_size 64\n";
  for (std::size_t i = 0; i < group.forms.size(); ++i) {
    text += kernel_text(group, i);
  }
  return text;
}

std::vector<std::uint64_t> operand_words(const FormGroup& group) {
  constexpr std::size_t kWords = kOperandBytes / 8;
  std::vector<std::uint64_t> words(kWords * group.rows.size());
  for (std::size_t i = 0; i < group.rows.size(); ++i) {
    for (std::size_t k = 0; k < group.rows[i].size(); ++k) {
      words[kWords * i + k] = group.rows[i][k];
    }
  }
  return words;
}

}  // namespace warpsim::test
