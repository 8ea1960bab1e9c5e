// SPDX-License-Identifier: Apache-2.0
#include "shakedown/app/output_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <thread>
#include <vector>

#include "shakedown/app/stream_out.h"
#include "shakedown/base/error.h"
#include "support/child.h"
#include "support/temporary_directory.h"

namespace shakedown {
namespace {

using testing::ForkedChild;
using testing::read_file;
using testing::TemporaryDirectory;
using testing::write_file;

std::string refusal_of(const std::string& path) {
  try {
    const OutputFile file{path};
  } catch (const UsageError& error) {
    return error.what();
  }
  return {};
}

mode_t mode_of(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 ? status.st_mode & 07777 : 0;
}

TEST(OutputFile, KnowsWhenTwoPathsLeadToOneFile) {
  const TemporaryDirectory directory;
  const OutputFile first(directory / "result");
  EXPECT_TRUE(first.same_target(OutputFile(directory / "result")));
  EXPECT_TRUE(first.same_target(OutputFile(directory / "./result")));
  EXPECT_FALSE(first.same_target(OutputFile(directory / "other")));
  EXPECT_FALSE(OutputFile("/dev/null").same_target(OutputFile("/dev/null"))) << "a device takes two documents";
}

TEST(OutputFile, IsAbsentUntilTheFirstDocument) {
  const TemporaryDirectory directory;
  OutputFile file{directory / "a.json"};
  EXPECT_EQ(directory.entries(), 0);
  EXPECT_TRUE(file.write("one", false));
  EXPECT_EQ(read_file(directory / "a.json"), "one");
  EXPECT_TRUE(file.write("two", true));
  EXPECT_EQ(read_file(directory / "a.json"), "two");
  EXPECT_EQ(directory.entries(), 1);
  EXPECT_EQ(file.error(), "");
}

TEST(OutputFile, LeavesThePreviousOneUntouchedUntilThen) {
  const TemporaryDirectory directory;
  write_file(directory / "a.json", "previous");
  { const OutputFile file{directory / "a.json"}; }
  EXPECT_EQ(read_file(directory / "a.json"), "previous");
  EXPECT_EQ(directory.entries(), 1);
}

TEST(OutputFile, KeepsPermissionsAndGivesANewFileThoseOfTheUmask) {
  const TemporaryDirectory directory;
  write_file(directory / "old", "x");
  ::chmod((directory / "old").c_str(), 0604);
  const mode_t saved = ::umask(027);
  EXPECT_TRUE(OutputFile{directory / "old"}.write("y", true));
  EXPECT_TRUE(OutputFile{directory / "new"}.write("y", true));
  ::umask(saved);
  EXPECT_EQ(mode_of(directory / "old"), 0604u);
  EXPECT_EQ(mode_of(directory / "new"), 0640u);  // 0666 less 027
}

TEST(OutputFile, WritesThroughLinksAndLeavesThemLinks) {
  const TemporaryDirectory directory;
  std::filesystem::create_directory(directory / "real");
  std::filesystem::create_symlink("real/data", directory / "dangling");
  std::filesystem::create_symlink("dangling", directory / "link");
  for (const char* text : {"first", "second"}) {
    EXPECT_TRUE(OutputFile{directory / "link"}.write(text, true));
    EXPECT_EQ(read_file(directory / "real/data"), text);
  }
  EXPECT_TRUE(std::filesystem::is_symlink(directory / "link"));
  EXPECT_TRUE(std::filesystem::is_symlink(directory / "dangling"));
}

TEST(OutputFile, AcceptsANameInTheCurrentDirectoryAndTheLongestOne) {
  const TemporaryDirectory directory;
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(directory.path());
  EXPECT_TRUE(OutputFile{"plain"}.write("x", true));
  EXPECT_TRUE((OutputFile{std::string(255, 'n')}.write("x", true)));
  std::filesystem::current_path(before);
  EXPECT_EQ(read_file(directory / "plain"), "x");
  EXPECT_EQ(directory.entries(), 2);
}

TEST(OutputFile, RefusesWhatCanNotBeWrittenWithTheReasonAndARemedy) {
  const TemporaryDirectory directory;
  std::filesystem::create_symlink("loop", directory / "loop");
  write_file(directory / "file", "x");
  struct Case {
    std::string path, reason, remedy;
  };
  const std::vector<Case> cases{
      {"", "the name is empty", "name a file"},
      {directory.path().string(), "is a directory", "name a file in it"},
      {directory / "no/such/x.json", "No such file or directory", "mkdir -p"},
      {"/proc/x.json", "no file can be created in '/proc'", "that you may write to"},
      {directory / "loop", "Too many levels of symbolic links", "another file"},
      {directory / "file/x.json", "Not a directory", "another file"},
      {directory / std::string(256, 'n'), "File name too long", "another file"},
      {"/dev/fd/987", "Bad file descriptor", "must be open"},
  };
  for (const Case& wrong : cases) {
    const std::string message = refusal_of(wrong.path);
    EXPECT_NE(message.find("'" + wrong.path + "'"), std::string::npos) << message;
    EXPECT_NE(message.find(wrong.reason), std::string::npos) << message;
    EXPECT_NE(message.find(wrong.remedy), std::string::npos) << message;
  }
}

TEST(OutputFile, RefusesADirectoryOrFileThatThisUserMayNotWrite) {
  if (::geteuid() == 0) {
    const TemporaryDirectory directory;
    ::chmod(directory.path().c_str(), 0755);
    std::filesystem::create_directory(directory / "closed");
    write_file(directory / "theirs", "x");
    ForkedChild child{[&] {
      if (::setgid(65534) != 0 || ::setuid(65534) != 0) return 9;
      if (refusal_of(directory / "closed/x").find("Permission denied") == std::string::npos) return 1;
      return refusal_of(directory / "theirs").find("Permission denied") == std::string::npos ? 2 : 0;
    }};
    EXPECT_EQ(child.status(), 0);
    return;
  }
  const TemporaryDirectory directory;
  std::filesystem::create_directory(directory / "closed");
  ::chmod((directory / "closed").c_str(), 0555);
  EXPECT_NE(refusal_of(directory / "closed/x").find("Permission denied"), std::string::npos);
}

TEST(OutputFile, RefusesTheFullDeviceAtOnce) {
  if (::access("/dev/full", W_OK) != 0) GTEST_SKIP() << "no /dev/full here";
  EXPECT_NE(refusal_of("/dev/full").find("No space left on device"), std::string::npos);
}

TEST(OutputFile, GivesADeviceOnlyTheLastDocument) {
  OutputFile file{"/dev/null"};
  EXPECT_TRUE(file.write("one", false));
  EXPECT_TRUE(file.write("two", true));
}

TEST(OutputFile, GivesStdoutOnlyTheLastDocument) {
  ForkedChild child{[] {
    OutputFile file{"/dev/stdout"};
    return file.write("first", false) && file.write("last", true) && file.write("again", true) ? 0 : 1;
  }};
  EXPECT_EQ(child.output(), "last");
  EXPECT_EQ(child.status(), 0);
}

TEST(OutputFile, WritesToStdoutThatIsAFileAfterWhatIsThere) {
  const TemporaryDirectory directory;
  ForkedChild child{[&] {
    const int fd = ::open((directory / "out").c_str(), O_WRONLY | O_CREAT, 0600);
    ::dup2(fd, STDOUT_FILENO);
    return write_all(STDOUT_FILENO, "table ") && OutputFile{"/dev/stdout"}.write("json", true) ? 0 : 1;
  }};
  EXPECT_EQ(child.status(), 0);
  EXPECT_EQ(read_file(directory / "out"), "table json");
}

TEST(OutputFile, NeverWaitsForAFifosReader) {
  const TemporaryDirectory directory;
  ASSERT_EQ(::mkfifo((directory / "fifo").c_str(), 0600), 0);
  OutputFile file{directory / "fifo"};
  EXPECT_TRUE(file.write("row", false));
  EXPECT_FALSE(file.write("all", true));
  EXPECT_NE(file.error().find("nobody reads"), std::string::npos) << file.error();
}

TEST(OutputFile, GivesAFifosReaderTheLastDocumentAlone) {
  const TemporaryDirectory directory;
  ASSERT_EQ(::mkfifo((directory / "fifo").c_str(), 0600), 0);
  const std::string document(200'000, 'd');  // more than a pipe holds
  OutputFile file{directory / "fifo"};
  std::string got;
  std::thread reader{[&] { got = read_file(directory / "fifo"); }};
  EXPECT_TRUE(file.write("row", false));
  bool written = false;
  for (int attempt = 0; attempt < 20 && !written; ++attempt) {  // the reader's thread may start late
    OutputFile again{directory / "fifo"};
    written = again.write(document, true);
  }
  reader.join();
  EXPECT_TRUE(written);
  EXPECT_EQ(got, document);
}

TEST(OutputFile, KeepsThePreviousDocumentWhenTheNextIsTooLong) {
  const TemporaryDirectory directory;
  ForkedChild child{[&] {
    ignore_write_signals();
    const rlimit limit{1024, 1024};  // as ulimit -f 1
    if (::setrlimit(RLIMIT_FSIZE, &limit) != 0) return 9;
    OutputFile file{directory / "a.json"};
    if (!file.write("short", false)) return 1;
    if (file.write(std::string(5000, 'x'), true)) return 2;
    write_all(STDOUT_FILENO, file.error());
    return 0;
  }};
  EXPECT_NE(child.output().find("File too large"), std::string::npos) << child.output();
  EXPECT_EQ(child.status(), 0);
  EXPECT_EQ(read_file(directory / "a.json"), "short");
  EXPECT_EQ(directory.entries(), 1);
}

TEST(OutputFile, IsWholeAtAnyInstantWhileTwoThreadsWrite) {
  const TemporaryDirectory directory;
  OutputFile file{directory / "a.json"};
  ASSERT_TRUE(file.write(std::string(20'000, 'a'), false));
  std::atomic<bool> done{false};
  std::atomic<int> broken{0};
  std::thread reader{[&] {
    while (!done) {
      const std::string text = read_file(directory / "a.json");
      if (text.size() != 20'000 || text.find_first_not_of(text[0]) != std::string::npos) ++broken;
    }
  }};
  std::thread other{[&] {
    for (int i = 0; i < 50; ++i) EXPECT_TRUE(file.write(std::string(20'000, 'b'), false)) << file.error();
  }};
  for (int i = 0; i < 50; ++i) EXPECT_TRUE(file.write(std::string(20'000, 'c'), false)) << file.error();
  other.join();
  done = true;
  reader.join();
  EXPECT_EQ(broken, 0);
  EXPECT_EQ(directory.entries(), 1);
}

}  // namespace
}  // namespace shakedown
