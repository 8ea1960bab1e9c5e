// SPDX-License-Identifier: Apache-2.0
#include "shakedown/app/stream_out.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <string>
#include <thread>

#include "support/child.h"

namespace shakedown {
namespace {

TEST(WriteAll, PassesMoreThanAPipeHolds) {
  std::array<int, 2> pipe{};
  ASSERT_EQ(::pipe2(pipe.data(), O_NONBLOCK), 0);
  std::string text(300'000, 'x');
  for (std::size_t i = 0; i < text.size(); i += 7) text[i] = static_cast<char>('a' + i % 26);
  std::string got;
  std::thread reader{[&] {
    std::array<char, 1000> buffer{};
    while (got.size() < text.size()) {
      const ssize_t n = ::read(pipe[0], buffer.data(), buffer.size());
      if (n > 0) got.append(buffer.data(), static_cast<std::size_t>(n));
    }
  }};
  EXPECT_TRUE(write_all(pipe[1], text));
  reader.join();
  EXPECT_EQ(got, text);
  ::close(pipe[0]);
  ::close(pipe[1]);
}

TEST(WriteAll, GivesUpOnAReaderThatNeverReadsAlsoOnABlockingPipe) {
  std::array<int, 2> pipe{};
  ASSERT_EQ(::pipe(pipe.data()), 0);
  EXPECT_FALSE(write_all(pipe[1], std::string(1'000'000, 'x'), Seconds{0.01}));
  EXPECT_EQ(errno, ETIMEDOUT);
  ::close(pipe[0]);
  ::close(pipe[1]);
}

TEST(WriteAll, TellsThatTheReaderLeft) {
  testing::ForkedChild child{[] {
    ignore_write_signals();
    std::array<int, 2> pipe{};
    if (::pipe(pipe.data()) != 0) return 9;
    ::close(pipe[0]);
    return !write_all(pipe[1], "text") && errno == EPIPE ? 0 : 1;
  }};
  EXPECT_EQ(child.status(), 0);
}

TEST(WriteAll, TellsThatTheDeviceIsFull) {
  const int full = ::open("/dev/full", O_WRONLY);
  if (full < 0) GTEST_SKIP() << "no /dev/full here";
  EXPECT_FALSE(write_all(full, "text"));
  EXPECT_EQ(errno, ENOSPC);
  ::close(full);
}

}  // namespace
}  // namespace shakedown
