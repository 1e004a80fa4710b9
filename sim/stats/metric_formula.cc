#include "stats/metric_formula.h"

#include <cctype>
#include <charconv>

#include "base/check.h"

namespace warpsim {

// Recursive descent over sums of products of factors; appends postfix steps.
class FormulaParser {
 public:
  using Op = MetricFormula::Op;

  FormulaParser(std::string_view text, std::vector<MetricFormula::Step>& steps) : text_(text), steps_(steps) {}

  void parse() {
    sum();
    SIM_CHECK(peek() == '\0', "metric formula ends unexpectedly: " + std::string(text_));
  }

 private:
  void sum() {
    product();
    while (peek() == '+' || peek() == '-') {
      const Op op = take() == '+' ? Op::kAdd : Op::kSubtract;
      product();
      emit(op);
    }
  }

  void product() {
    factor();
    while (peek() == '*' || peek() == '/') {
      const Op op = take() == '*' ? Op::kMultiply : Op::kDivide;
      factor();
      emit(op);
    }
  }

  void factor() {
    if (peek() == '(') {
      take();
      sum();
      expect(')');
    } else if (std::isdigit(static_cast<unsigned char>(peek())) != 0) {
      number();
    } else {
      name();
    }
  }

  void number() {
    double value = 0;
    const auto [stop, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    SIM_CHECK(error == std::errc(), "bad number in metric formula: " + std::string(text_));
    at_ = static_cast<std::size_t>(stop - text_.data());
    steps_.push_back({Op::kNumber, value, {}});
  }

  void name() {
    const std::string word = identifier();
    constexpr std::string_view kLaunchPrefix = "launch.";
    if (word.starts_with(kLaunchPrefix)) {
      steps_.push_back({Op::kLaunch, 0, word.substr(kLaunchPrefix.size())});
      return;
    }
    const Op op = word == "sum"     ? Op::kSum
                  : word == "max"   ? Op::kMax
                  : word == "avg"   ? Op::kAverage
                  : word == "count" ? Op::kCount
                                    : Op::kNumber;
    SIM_CHECK(op != Op::kNumber, "unknown function '" + word + "' in metric formula: " + std::string(text_));
    expect('(');
    steps_.push_back({op, 0, identifier()});
    SIM_CHECK(op == Op::kSum || !steps_.back().name.ends_with('*'), "only sum() takes a name with *");
    expect(')');
  }

  std::string identifier() {
    peek();
    const std::size_t begin = at_;
    while (at_ < text_.size() &&
           (std::isalnum(static_cast<unsigned char>(text_[at_])) != 0 || text_[at_] == '_' || text_[at_] == '.')) {
      ++at_;
    }
    if (at_ > begin && at_ < text_.size() && text_[at_] == '*') {
      ++at_;
    }
    SIM_CHECK(at_ > begin, "a name is missing in metric formula: " + std::string(text_));
    return std::string(text_.substr(begin, at_ - begin));
  }

  char peek() {
    while (at_ < text_.size() && text_[at_] == ' ') {
      ++at_;
    }
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  char take() {
    const char c = peek();
    ++at_;
    return c;
  }
  void expect(char c) {
    SIM_CHECK(take() == c, std::string("'") + c + "' is missing in metric formula: " + std::string(text_));
  }
  void emit(Op op) { steps_.push_back({op, 0, {}}); }

  std::string_view text_;
  std::vector<MetricFormula::Step>& steps_;
  std::size_t at_ = 0;
};

MetricFormula::MetricFormula(std::string_view text) {
  FormulaParser(text, steps_).parse();
}

// The value of a step without operands.
std::optional<double> MetricFormula::leaf(const Step& step, const FormulaInputs& inputs) {
  if (step.op == Op::kNumber) {
    return step.number;
  }
  if (step.op == Op::kLaunch) {
    const auto found = inputs.launch.find(step.name);
    return found == inputs.launch.end() ? std::nullopt : std::optional<double>(found->second);
  }
  if (step.op == Op::kCount) {
    const std::uint64_t count = inputs.stats.instance_count(step.name);
    return count == 0 ? std::nullopt : std::optional<double>(static_cast<double>(count));
  }
  if (step.name.ends_with('*')) {
    const std::optional<std::uint64_t> sum =
        inputs.stats.sum_with_prefix(std::string_view(step.name).substr(0, step.name.size() - 1));
    return sum ? std::optional<double>(static_cast<double>(*sum)) : std::nullopt;
  }
  const StatSnapshot::CounterTotal* counter = inputs.stats.counter(step.name);
  if (counter == nullptr) {
    return std::nullopt;
  }
  const double sum = static_cast<double>(counter->sum);
  if (step.op == Op::kSum) {
    return sum;
  }
  return step.op == Op::kMax ? static_cast<double>(counter->greatest) : sum / static_cast<double>(counter->instances);
}

std::optional<double> MetricFormula::evaluate(const FormulaInputs& inputs) const {
  std::vector<double> stack;
  for (const Step& step : steps_) {
    if (step.op < Op::kAdd) {
      const std::optional<double> value = leaf(step, inputs);
      if (!value) {
        return std::nullopt;
      }
      stack.push_back(*value);
      continue;
    }
    const double right = stack.back();
    stack.pop_back();
    double& left = stack.back();
    if (step.op == Op::kAdd) {
      left += right;
    } else if (step.op == Op::kSubtract) {
      left -= right;
    } else if (step.op == Op::kMultiply) {
      left *= right;
    } else if (right != 0) {
      left /= right;
    } else if (left != 0) {
      return std::nullopt;
    }
  }
  return stack.back();
}

std::vector<std::string> MetricFormula::missing(const FormulaInputs& inputs) const {
  std::vector<std::string> names;
  for (const Step& step : steps_) {
    if (step.op < Op::kAdd && !leaf(step, inputs)) {
      names.push_back((step.op == Op::kLaunch ? "launch." : "") + step.name);
    }
  }
  return names;
}

}  // namespace warpsim
