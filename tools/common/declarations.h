// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "early_exit.h"

namespace CLI {
class App;
}

namespace shakedown {

/// Hands each option's text to a function that may throw UsageError; CLI11 only splits the words.
class Declarations {
 public:
  explicit Declarations(CLI::App& app) : app_(app) {}

  void value(const std::string& names, const std::string& type, const std::string& help,
             const std::function<void(const std::string&)>& read);
  /// An option that takes every word up to the next option ("--m 1024 2048"), and may be repeated.
  void values(const std::string& names, const std::string& type, const std::string& help,
              const std::function<void(const std::vector<std::string>&)>& read);
  void hidden(const std::string& names, const std::function<void(const std::string&)>& read);
  void flag(const std::string& names, const std::string& help, const std::function<void()>& set);
  void hidden_flag(const std::string& names);
  void section(const std::string& name);
  [[nodiscard]] const std::vector<std::string>& known() const { return known_; }

 private:
  void remember(const std::string& names);

  CLI::App& app_;
  std::vector<std::string> known_{"--help", "--version"};
};

/// What a tool's --help and --version say.
struct ToolWords {
  std::string tool;
  std::string version;
  std::string purpose;  ///< one sentence
  std::string footer;   ///< ends with the examples
};

/// Reads the arguments, the program's name left out, by what `declare` declares; then `check` looks at them together.
/// Both may throw UsageError. Nothing when a run is asked for. Never exits and never prints.
std::optional<EarlyExit> parse_command_line(const ToolWords& words, const std::vector<std::string>& arguments,
                                            const std::function<void(Declarations&)>& declare,
                                            const std::function<void()>& check);

}  // namespace shakedown
