#include "base/demangle.h"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>

namespace warpsim {

std::string demangle(const std::string& name) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status),
                                                         &std::free);
  return status == 0 && text != nullptr ? std::string(text.get()) : name;
}

namespace {

// Up to the parenthesis that opens the parameters: the first one outside of template arguments.
std::string without_parameters(const std::string& readable) {
  int depth = 0;
  for (std::size_t i = 0; i < readable.size(); ++i) {
    depth += readable[i] == '<' ? 1 : readable[i] == '>' ? -1 : 0;
    if (readable[i] == '(' && depth == 0) {
      return readable.substr(0, i);
    }
  }
  return readable;
}

// Templates are written with the type that they return.
std::string without_result(const std::string& readable) {
  const std::size_t blank = readable.substr(0, readable.find('<')).rfind(' ');
  return blank == std::string::npos ? readable : readable.substr(blank + 1);
}

std::string without_unnamed_namespaces(std::string readable) {
  const std::string unnamed = "(anonymous namespace)::";
  for (std::size_t at = readable.find(unnamed); at != std::string::npos; at = readable.find(unnamed)) {
    readable.erase(at, unnamed.size());
  }
  return readable;
}

std::string name_with_arguments(const std::string& mangled) {
  return without_result(without_parameters(without_unnamed_namespaces(demangle(mangled))));
}

}  // namespace

std::string plain_name(const std::string& mangled) {
  const std::string name = name_with_arguments(mangled);
  return name.substr(0, name.find('<'));
}

std::string name_for_message(const std::string& mangled) {
  constexpr std::size_t kMost = 80;
  std::string name = name_with_arguments(mangled);
  const std::size_t arguments = name.find('<');
  if (name.size() > kMost && arguments != std::string::npos) {
    name.replace(arguments, std::string::npos, "<...>");
  }
  return name;
}

std::string short_function_name(const std::string& readable) {
  std::string name;
  int depth = 0;
  for (const char c : without_unnamed_namespaces(readable)) {
    depth -= c == '>' ? 1 : 0;
    if (c == '(' && depth == 0 && !name.empty()) {
      break;
    }
    if (depth == 0 && c != '<' && c != '>') {
      name += c;
    }
    depth += c == '<' ? 1 : 0;
  }
  // "void f": a template's name is written with its result type.
  if (const std::size_t blank = name.rfind(' '); blank != std::string::npos) {
    name.erase(0, blank + 1);
  }
  if (const std::size_t scope = name.rfind("::"); scope != std::string::npos) {
    name.erase(0, scope + 2);
  }
  return name.empty() ? readable : name;
}

bool is_called(const std::string& mangled, const std::string& name) {
  return name == mangled || name == demangle(mangled) || name == name_with_arguments(mangled) ||
         name == plain_name(mangled);
}

}  // namespace warpsim
