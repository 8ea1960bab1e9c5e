// SPDX-License-Identifier: Apache-2.0
#include "shakedown/app/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <string_view>

#include "shakedown/app/stream_out.h"

namespace shakedown {
namespace {

constexpr int fewest_columns = 20;
constexpr int most_columns = 1000;

int columns_of(int fd, const EnvLookup& env) {
  winsize size{};
  if (::ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
    return std::clamp<int>(size.ws_col, fewest_columns, most_columns);
  const std::string text = env("COLUMNS").value_or("");
  int columns{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), columns);
  if (error == std::errc{} && end == text.data() + text.size())
    return std::clamp(columns, fewest_columns, most_columns);
  return Terminal{}.columns;
}

/// "1:ic:120" for a terminal on descriptor 1, interactive, with colour, 120 columns. No semicolon or comma, which
/// mpirun's -x takes apart.
std::string describe(int fd, const Terminal& terminal) {
  return std::to_string(fd) + ":" + (terminal.interactive ? "i" : "") + (terminal.color ? "c" : "") + ":" +
         std::to_string(terminal.columns);
}

/// The entry of `fd` in describe_terminals' text; a silent one where there is none.
Terminal parse_terminal(std::string_view text, int fd) {
  const std::string start = std::to_string(fd) + ":";
  while (!text.empty()) {
    const std::string_view entry = text.substr(0, text.find('/'));
    text.remove_prefix(std::min(text.size(), entry.size() + 1));
    if (entry.substr(0, start.size()) != start) continue;
    const std::string_view rest = entry.substr(start.size());
    const std::string_view flags = rest.substr(0, rest.find(':'));
    Terminal terminal;
    terminal.interactive = flags.find('i') != std::string_view::npos;
    terminal.color = flags.find('c') != std::string_view::npos;
    int columns{};
    const std::string_view number = flags.size() < rest.size() ? rest.substr(flags.size() + 1) : std::string_view{};
    if (std::from_chars(number.data(), number.data() + number.size(), columns).ec == std::errc{}) {
      terminal.columns = std::clamp(columns, fewest_columns, most_columns);
    }
    return terminal;
  }
  return {};
}

/// The start of `line` that fills at most `columns` places; UTF-8 stays whole and one line stays one line.
std::string cut(std::string_view line, int columns) {
  std::string text;
  int used = 0;
  for (const char c : line) {
    const bool continuation = (static_cast<unsigned char>(c) & 0xC0u) == 0x80u;
    if (!continuation && ++used > columns) break;
    const bool control = static_cast<unsigned char>(c) < 0x20u;
    text.push_back(control ? ' ' : c);
  }
  return text;
}

/// Progress on a terminal that a person watches.
class TerminalProgress final : public Progress {
 public:
  explicit TerminalProgress(int columns) : columns_(columns) {}
  TerminalProgress(const TerminalProgress&) = delete;
  TerminalProgress& operator=(const TerminalProgress&) = delete;
  ~TerminalProgress() override { clear(); }

  void update(std::string_view line) override {
    // One place less than there are: some terminals wrap on the last.
    show("\r" + cut(line, columns_ - 1) + "\x1b[K");
    shown_ = true;
  }
  void clear() override {
    if (shown_) show("\r\x1b[K");
    shown_ = false;
  }

 private:
  // A terminal that takes nothing now (Ctrl-S) must not hold the measurement.
  static void show(const std::string& text) { write_all(STDERR_FILENO, text, Seconds{0}); }

  int columns_;
  bool shown_{false};
};

}  // namespace

Terminal detect_terminal(int fd, bool under_launcher, const EnvLookup& env) {
  Terminal terminal;
  if (under_launcher) {
    terminal = parse_terminal(env("SHAKEDOWN_TERMINAL").value_or(""), fd);
  } else if (::isatty(fd) == 1) {
    terminal = {true, true, columns_of(fd, env)};
  }
  if (env("TERM").value_or("") == "dumb") terminal.interactive = terminal.color = false;
  if (!env("NO_COLOR").value_or("").empty()) terminal.color = false;
  return terminal;
}

std::string describe_terminals(const Terminal& out, const Terminal& err) {
  return describe(STDOUT_FILENO, out) + "/" + describe(STDERR_FILENO, err);
}

std::unique_ptr<Progress> make_progress(const Terminal& err, bool quiet) {
  if (quiet || !err.interactive) return std::make_unique<SilentProgress>();
  return std::make_unique<TerminalProgress>(err.columns);
}

}  // namespace shakedown
