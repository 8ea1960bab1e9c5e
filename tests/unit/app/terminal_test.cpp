// SPDX-License-Identifier: Apache-2.0
#include "shakedown/app/terminal.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <map>

namespace shakedown {
namespace {

EnvLookup lookup_in(std::map<std::string, std::string> values) {
  return [values = std::move(values)](const std::string& name) -> std::optional<std::string> {
    const auto found = values.find(name);
    return found == values.end() ? std::nullopt : std::optional{found->second};
  };
}

/// A terminal of 57 columns that nobody sits at.
class PseudoTerminal : public ::testing::Test {
 protected:
  void SetUp() override {
    controller_ = ::posix_openpt(O_RDWR | O_NOCTTY);
    if (controller_ < 0 || ::grantpt(controller_) != 0 || ::unlockpt(controller_) != 0)
      GTEST_SKIP() << "no pseudo terminals here";
    terminal_ = ::open(::ptsname(controller_), O_RDWR | O_NOCTTY);
    ASSERT_GE(terminal_, 0);
    winsize size{};
    size.ws_col = 57;
    ::ioctl(terminal_, TIOCSWINSZ, &size);
  }
  void TearDown() override {
    ::close(terminal_);
    ::close(controller_);
  }
  int controller_{-1};
  int terminal_{-1};
};

TEST_F(PseudoTerminal, IsATerminal) {
  const Terminal found = detect_terminal(terminal_, false, lookup_in({{"TERM", "xterm"}}));
  EXPECT_TRUE(found.interactive);
  EXPECT_TRUE(found.color);
  EXPECT_EQ(found.columns, 57);
}

TEST_F(PseudoTerminal, IsNoneUnderALauncherThatMadeIt) {
  EXPECT_FALSE(detect_terminal(terminal_, true, lookup_in({{"TERM", "xterm"}})).interactive);
}

TEST_F(PseudoTerminal, ObeysNoColorAndDumb) {
  const Terminal plain = detect_terminal(terminal_, false, lookup_in({{"NO_COLOR", "1"}}));
  EXPECT_TRUE(plain.interactive);
  EXPECT_FALSE(plain.color);
  EXPECT_TRUE(detect_terminal(terminal_, false, lookup_in({{"NO_COLOR", ""}})).color);
  const Terminal dumb = detect_terminal(terminal_, false, lookup_in({{"TERM", "dumb"}}));
  EXPECT_FALSE(dumb.interactive);
  EXPECT_FALSE(dumb.color);
}

TEST_F(PseudoTerminal, ShowsProgressOnOneLineThatFits) {
  const int saved = ::dup(STDERR_FILENO);
  ::dup2(terminal_, STDERR_FILENO);
  {
    const auto progress = make_progress({true, true, 12}, false);
    progress->update("a\u00e9cdefghijklmnop\nq");
  }
  ::dup2(saved, STDERR_FILENO);
  ::close(saved);
  const std::string expected = "\ra\u00e9cdefghijk\x1b[K\r\x1b[K";
  std::string seen;
  std::array<char, 256> buffer{};
  while (seen.size() < expected.size()) {
    const ssize_t got = ::read(controller_, buffer.data(), buffer.size());
    ASSERT_GT(got, 0);
    seen.append(buffer.data(), static_cast<std::size_t>(got));
  }
  EXPECT_EQ(seen, expected);
}

TEST_F(PseudoTerminal, IsLeftAloneWhenQuiet) {
  const int saved = ::dup(STDERR_FILENO);
  ::dup2(terminal_, STDERR_FILENO);
  make_progress({true, true, 80}, true)->update("text");
  make_progress({false, false, 80}, false)->update("text");
  ::dup2(saved, STDERR_FILENO);
  ::close(saved);
  int waiting = -1;
  ASSERT_EQ(::ioctl(controller_, FIONREAD, &waiting), 0);
  EXPECT_EQ(waiting, 0);
}

TEST(Terminals, TravelToTheRanks) {
  const Terminal out{true, false, 132};
  const Terminal err{false, true, 80};
  const std::string text = describe_terminals(out, err);
  EXPECT_EQ(text.find_first_of(";, "), std::string::npos) << text;  // mpirun's -x would take it apart
  const auto env = lookup_in({{"SHAKEDOWN_TERMINAL", text}});
  const Terminal out_there = detect_terminal(1, true, env);
  EXPECT_TRUE(out_there.interactive);
  EXPECT_FALSE(out_there.color);
  EXPECT_EQ(out_there.columns, 132);
  const Terminal err_there = detect_terminal(2, true, env);
  EXPECT_FALSE(err_there.interactive);
  EXPECT_TRUE(err_there.color);
}

TEST(Terminals, AreNoneWhenTheTextIsBroken) {
  for (const char* text : {"", "1", "1:", "x:y:z", "//", "12:ic:80"}) {
    EXPECT_FALSE(detect_terminal(1, true, lookup_in({{"SHAKEDOWN_TERMINAL", text}})).interactive) << text;
  }
}

}  // namespace
}  // namespace shakedown
