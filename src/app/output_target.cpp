// SPDX-License-Identifier: Apache-2.0
#include "output_target.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>

#include "shakedown/base/error.h"

namespace shakedown {
namespace {

namespace fs = std::filesystem;

constexpr int most_links = 40;  // as the kernel

/// The descriptor of this process that a path names.
std::optional<int> descriptor_of(const std::string& path) {
  for (const std::string_view prefix : {"/dev/fd/", "/proc/self/fd/"}) {
    if (path.compare(0, prefix.size(), prefix) != 0) continue;
    int fd{};
    const char* const end = path.data() + path.size();
    const auto [stop, error] = std::from_chars(path.data() + prefix.size(), end, fd);
    if (error == std::errc{} && stop == end) return fd;
  }
  return std::nullopt;
}

/// One link followed; nothing when the path is no link.
std::optional<std::string> follow_once(const std::string& path) {
  std::error_code error;
  const fs::path next = fs::read_symlink(path, error);
  if (error) return std::nullopt;
  return next.is_absolute() ? next.string() : (fs::path{path}.parent_path() / next).string();
}

void check_descriptor(const std::string& path, int fd) {
  const int flags = ::fcntl(fd, F_GETFL);
  if (flags < 0) throw UsageError(cannot_write(path, std::strerror(errno), "that descriptor must be open"));
  if ((flags & O_ACCMODE) == O_RDONLY) {
    throw UsageError(cannot_write(path, "the descriptor is open for reading only", "open it for writing"));
  }
}

void check_existing(const std::string& path, const std::string& target, const struct stat& status) {
  if (S_ISDIR(status.st_mode)) throw UsageError(cannot_write(path, "it is a directory", "name a file in it"));
  if (S_ISBLK(status.st_mode) || S_ISSOCK(status.st_mode)) {
    throw UsageError(cannot_write(path, S_ISBLK(status.st_mode) ? "it is a block device" : "it is a socket",
                                  "name a file, a FIFO or a character device"));
  }
  if (::faccessat(AT_FDCWD, target.c_str(), W_OK, AT_EACCESS) != 0) {
    throw UsageError(cannot_write(path, std::strerror(errno), "make it writable (chmod u+w) or name another file"));
  }
}

void check_parent(const std::string& path, const std::string& target) {
  const std::string parent = fs::path{target}.parent_path().string();
  struct stat status {};
  if (parent.empty() || ::stat(parent.c_str(), &status) == 0) return;
  throw UsageError(cannot_write(path, "its directory '" + parent + "': " + std::strerror(errno),
                                "create it (mkdir -p) or name another file"));
}

}  // namespace

std::string cannot_write(const std::string& path, const std::string& why, const std::string& remedy) {
  return "cannot write results to '" + path + "': " + why + "; " + remedy;
}

OutputTarget resolve_output_target(const std::string& path) {
  if (path.empty()) throw UsageError(cannot_write(path, "the name is empty", "name a file, or - for stdout"));
  OutputTarget target{path, -1, true};
  for (int links = 0;; ++links) {
    if (const auto fd = descriptor_of(target.path)) {
      check_descriptor(path, *fd);
      return {target.path, *fd, false};
    }
    const auto next = follow_once(target.path);
    if (!next) break;
    if (links == most_links) throw UsageError(cannot_write(path, std::strerror(ELOOP), "name another file"));
    target.path = *next;
  }
  struct stat status {};
  if (::stat(target.path.c_str(), &status) == 0) {
    check_existing(path, target.path, status);
    target.replaceable = S_ISREG(status.st_mode);
  } else if (errno == ENOENT) {
    check_parent(path, target.path);
  } else {
    throw UsageError(cannot_write(path, std::strerror(errno), "name another file"));
  }
  return target;
}

}  // namespace shakedown
