// SPDX-License-Identifier: Apache-2.0
#include "shakedown/app/output_file.h"

#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <thread>

#include "output_target.h"
#include "shakedown/app/stream_out.h"
#include "shakedown/base/error.h"

namespace shakedown {
namespace {

constexpr Seconds patience_with_reader{5};  // a FIFO's or a device's reader takes what we have, or is broken

/// Path of temporary files in the target's directory, less their number. Short, since the target's name may be as long
/// as names can be; the random part keeps hosts that share the directory apart.
std::string temporaries_beside(const std::string& target) {
  std::uint32_t random{};
  if (::getrandom(&random, sizeof random, 0) < 0) random = static_cast<std::uint32_t>(::time(nullptr));
  const std::string name = ".shakedown-" + std::to_string(::getpid()) + "-" + std::to_string(random) + "-";
  return (std::filesystem::path{target}.parent_path() / name).string();
}

/// Gives the new file the permissions, and where allowed the owner, of the one that it replaces.
void keep_permissions(int fd, const std::string& target) {
  struct stat old {};
  if (::stat(target.c_str(), &old) != 0) return;
  [[maybe_unused]] const int owner =
      ::fchown(fd, old.st_uid, old.st_gid);  // before the mode, since it clears set-id bits
  ::fchmod(fd, old.st_mode & 07777);
}

/// Opens the target for its one write; a FIFO without a reader is tried again for a moment.
int open_through(const std::string& target) {
  for (int attempt = 0;; ++attempt) {
    const int fd = ::open(target.c_str(), O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (fd >= 0 || errno != ENXIO || attempt == 10) return fd;
    std::this_thread::sleep_for(std::chrono::milliseconds{50});
  }
}

bool is_character_device(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && S_ISCHR(status.st_mode);
}

/// Asks a device whether it takes anything, without giving it anything.
void probe_device(const std::string& path, const std::string& target) {
  const int fd = ::open(target.c_str(), O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  const bool fine = fd >= 0 && ::write(fd, "", 0) == 0;
  const int why = errno;
  if (fd >= 0) ::close(fd);
  if (!fine) throw UsageError(cannot_write(path, std::strerror(why), "name another file"));
}

}  // namespace

OutputFile::OutputFile(std::string path) : path_(std::move(path)) {
  const OutputTarget target = resolve_output_target(path_);
  target_ = target.path;
  // A descriptor of our own: another thing may be open under that number by the time of the last write.
  if (target.open_fd >= 0) open_fd_ = ::fcntl(target.open_fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  replaceable_ = target.replaceable;
  if (!replaceable_) {
    if (open_fd_ < 0 && is_character_device(target_)) probe_device(path_, target_);
    return;
  }
  temporaries_ = temporaries_beside(target_);
  const std::string probe = temporary_name(0);
  const int fd = ::open(probe.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (fd < 0) {
    const std::string directory = std::filesystem::path{probe}.parent_path().string();
    throw UsageError(cannot_write(
        path_, "no file can be created in '" + (directory.empty() ? "." : directory) + "': " + std::strerror(errno),
        "name a file in a directory that you may write to"));
  }
  errno = 0;
  const bool room = ::write(fd, "\n", 1) == 1;
  const int write_errno = errno;
  const bool closed = ::close(fd) == 0;
  const int why = room ? errno : write_errno;
  ::unlink(probe.c_str());
  if (!room || !closed)
    throw UsageError(cannot_write(path_, std::strerror(why), "free some space or name a file on another disk"));
}

OutputFile::~OutputFile() {
  if (open_fd_ >= 0) ::close(open_fd_);
  if (const auto ticket = writing_.load(); ticket != 0) ::unlink(temporary_name(ticket).c_str());
}

bool OutputFile::same_target(const OutputFile& other) const {
  const auto whole = [](const std::string& target) {
    std::error_code failure;
    return std::filesystem::weakly_canonical(std::filesystem::absolute(target, failure), failure);
  };
  return replaceable_ && whole(target_) == whole(other.target_);
}

std::string OutputFile::temporary_name(std::uint64_t ticket) const {
  return temporaries_ + std::to_string(ticket) + ".tmp";
}

std::string OutputFile::error() const {
  const char* const doing = failed_doing_.load();
  if (doing == nullptr) return {};
  return "cannot write results to '" + path_ + "': " + doing + ": " + std::strerror(failed_why_.load());
}

bool OutputFile::fail(const char* doing, int why) {
  failed_why_.store(why);
  failed_doing_.store(doing);
  return false;
}

bool OutputFile::write(std::string_view document, bool last) {
  if (replaceable_) return replace(document);
  if (!last || written_once_.exchange(true)) return true;
  return write_through(document);
}

bool OutputFile::replace(std::string_view document) {
  const std::uint64_t ticket = next_ticket_.fetch_add(1);
  const std::uint64_t interrupted = writing_.exchange(ticket);
  const std::string temporary = temporary_name(ticket);
  const char* doing = "creating a temporary file beside it";
  const int fd = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  bool fine = fd >= 0;
  int why = errno;
  const auto attempt = [&](const char* step, bool success) {
    if (fine && !success) {
      fine = false;
      doing = step;
      why = errno;
    }
  };
  if (fine) {
    keep_permissions(fd, target_);
    attempt("writing", write_all(fd, document));
    attempt("closing", ::close(fd) == 0);
  }
  if (fine && published_.load() < ticket) {
    attempt("putting the new file in its place", ::rename(temporary.c_str(), target_.c_str()) == 0);
  }
  if (fine) {
    for (auto newest = published_.load(); newest < ticket && !published_.compare_exchange_weak(newest, ticket);) {
    }
  }
  ::unlink(temporary.c_str());
  if (fine && interrupted != 0) ::unlink(temporary_name(interrupted).c_str());  // another thread's, which we overtook
  auto mine = ticket;
  writing_.compare_exchange_strong(mine, 0);
  return fine || published_.load() > ticket || fail(doing, why);
}

bool OutputFile::write_through(std::string_view document) {
  const int fd = open_fd_ >= 0 ? open_fd_ : open_through(target_);
  if (fd < 0) return fail(errno == ENXIO ? "nobody reads from it" : "opening", errno);
  const bool written = write_all(fd, document, patience_with_reader);
  const int why = errno;
  const bool closed = open_fd_ >= 0 || ::close(fd) == 0;
  if (written && closed) return true;
  return fail("writing", written ? errno : why);
}

}  // namespace shakedown
