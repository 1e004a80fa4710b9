# Warnings are errors in our own code only; generated and system headers are exempt.
add_library(warpsim_warnings INTERFACE)
target_compile_options(warpsim_warnings INTERFACE -Wall -Wextra -Wshadow -Wconversion -Werror)
