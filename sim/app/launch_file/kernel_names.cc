#include "app/launch_file/kernel_names.h"

#include <fmt/format.h>

#include "base/demangle.h"
#include "base/error.h"
#include "config/near_miss.h"

namespace warpsim {

std::string find_kernel_name(const ptx::Module& module, const std::string& name, const std::string& position) {
  std::vector<std::string> found;
  std::vector<std::string> all;
  for (const ptx::Function& function : module.functions) {
    if (!function.is_entry || !function.has_body) {
      continue;
    }
    std::string mangled(function.name);
    if (mangled == name) {
      return mangled;
    }
    all.push_back(plain_name(mangled));
    if (is_called(mangled, name)) {
      found.push_back(mangled);
    }
  }
  if (found.size() == 1) {
    return found.front();
  }
  if (found.size() > 1) {
    throw UserError(fmt::format("{}: {} kernels of {} are named '{}'; use one of {}", position, found.size(),
                                module.file, name, fmt::join(found, ", ")));
  }
  throw UserError(fmt::format("{}: {} has no kernel '{}'{}{}", position, module.file, name, did_you_mean(name, all),
                              all.empty() ? "; it has none" : fmt::format("; it has {}", fmt::join(all, ", "))));
}

}  // namespace warpsim
