// SPDX-License-Identifier: Apache-2.0
#include "declarations.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "shakedown/base/error.h"
#include "spelling.h"

namespace shakedown {

void Declarations::value(const std::string& names, const std::string& type, const std::string& help,
                         const std::function<void(const std::string&)>& read) {
  remember(names);
  app_.add_option_function<std::string>(names, read, help)
      ->type_name(type)
      ->multi_option_policy(CLI::MultiOptionPolicy::Throw);
}

void Declarations::values(const std::string& names, const std::string& type, const std::string& help,
                          const std::function<void(const std::vector<std::string>&)>& read) {
  remember(names);
  app_.add_option_function<std::vector<std::string>>(names, read, help)->type_name(type);
}

void Declarations::hidden(const std::string& names, const std::function<void(const std::string&)>& read) {
  app_.add_option_function<std::string>(names, read, "")->group("")->multi_option_policy(CLI::MultiOptionPolicy::Throw);
}

void Declarations::flag(const std::string& names, const std::string& help, const std::function<void()>& set) {
  remember(names);
  app_.add_flag_callback(names, set, help);
}

void Declarations::hidden_flag(const std::string& names) {
  app_.add_flag_callback(
          names, [] {}, "")
      ->group("");
}

void Declarations::section(const std::string& name) { app_.option_defaults()->group(name); }

void Declarations::remember(const std::string& names) {
  for (const std::string& name : CLI::detail::split(names, ',')) known_.push_back(name);
}

namespace {

std::string explain(const CLI::ParseError& error, const std::vector<std::string>& remaining,
                    const std::vector<std::string>& known) {
  std::string text = error.what();
  const std::string name = text.substr(0, text.find(':'));
  if (text.find("At Most 1 required") != std::string::npos) text = name + " is given more than once";
  if (text.find("1 required") != std::string::npos) text = name + ": a value is missing";
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr && !remaining.empty()) {
    const std::string word = remaining.front().substr(0, remaining.front().find('='));
    text = fmt::format("'{}' is not an option", remaining.front());
    if (const std::string near = nearest_name(word, known); !near.empty())
      text += fmt::format("; did you mean {}?", near);
  }
  return text + " (--help lists the options)";
}

}  // namespace

std::optional<EarlyExit> parse_command_line(const ToolWords& words, const std::vector<std::string>& arguments,
                                            const std::function<void(Declarations&)>& declare,
                                            const std::function<void()>& check) {
  CLI::App app{words.purpose, words.tool};
  app.set_version_flag("--version", fmt::format("{} (Shakedown) {}", words.tool, words.version));
  app.set_help_flag("-h,--help", "print this and stop");
  app.footer(words.footer);
  app.get_formatter()->column_width(34);
  Declarations say(app);
  declare(say);
  std::vector<std::string> reversed = normalize_arguments(arguments);
  std::reverse(reversed.begin(), reversed.end());  // CLI11 takes them from the back
  try {
    app.parse(reversed);
    check();
  } catch (const CLI::CallForHelp&) {
    return EarlyExit{.code = ExitCode::ok, .out = app.help() + "\n", .err = ""};
  } catch (const CLI::CallForVersion& call) {
    return EarlyExit{.code = ExitCode::ok, .out = std::string(call.what()) + "\n", .err = ""};
  } catch (const CLI::ParseError& error) {
    return EarlyExit{.code = ExitCode::usage, .out = "", .err = explain(error, app.remaining(), say.known())};
  } catch (const UsageError& error) {
    return EarlyExit{.code = ExitCode::usage, .out = "", .err = error.what()};
  }
  return std::nullopt;
}

}  // namespace shakedown
