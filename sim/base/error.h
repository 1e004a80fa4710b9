// Errors that the user can cause. They are thrown at the interfaces (command line, config, traces, database) and caught
// once, in app/main.cc, which prints them and exits with code 2. Each message names the place (file, line or offset)
// and what was expected there.
#pragma once

#include <stdexcept>
#include <string>

namespace warpsim {

class UserError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Wrong command line.
class UsageError : public UserError {
 public:
  using UserError::UserError;
};

// Wrong GPU description; what() may hold several lines, one per problem.
class ConfigError : public UserError {
 public:
  using UserError::UserError;
};

// Unreadable, truncated, corrupt or contradictory trace or SASS listing.
class TraceError : public UserError {
 public:
  using UserError::UserError;
};

// The results database cannot be read or written.
class DatabaseError : public UserError {
 public:
  using UserError::UserError;
};

// A row breaks a rule of its table: a missing value, a key that already exists.
class ConstraintError : public DatabaseError {
 public:
  using DatabaseError::DatabaseError;
};

}  // namespace warpsim
