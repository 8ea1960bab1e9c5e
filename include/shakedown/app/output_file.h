// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>

namespace shakedown {

/// A result file that is at any instant absent, the previous one, or a whole new document.
///
/// A regular or absent file (links resolved) is replaced by rename from a temporary file beside it; anything else (a
/// device, a FIFO, /dev/stdout) is written once, by the last write. write() may be called from the signal thread while
/// the measuring thread is inside it, too: it takes no lock, and an older document never replaces a newer one.
class OutputFile {
 public:
  /// Proves that the file can be written and has room for a byte; leaves an existing file untouched. A device is asked
  /// with an empty write, which /dev/full refuses, too; a FIFO isn't opened, since that would wait for its reader.
  /// Throws UsageError.
  explicit OutputFile(std::string path);
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  ~OutputFile();

  /// Writes the document; where the target is no regular file only the first one with `last` is written. `last` marks
  /// the run's end. False on an error, which error() tells. A FIFO without a reader is one after half a second.
  bool write(std::string_view document, bool last);
  [[nodiscard]] const std::string& path() const { return path_; }
  /// Whether both lead to one file, so that one document would replace the other.
  [[nodiscard]] bool same_target(const OutputFile& other) const;
  /// What the latest error was; empty while there was none.
  [[nodiscard]] std::string error() const;

 private:
  [[nodiscard]] std::string temporary_name(std::uint64_t ticket) const;
  bool replace(std::string_view document);
  bool write_through(std::string_view document);
  bool fail(const char* doing, int why);

  std::string path_;
  std::string target_;       ///< links resolved
  std::string temporaries_;  ///< path of this object's temporary files, less their number
  int open_fd_{-1};          ///< where the path means a descriptor that is open already (/dev/stdout)
  bool replaceable_{true};
  std::atomic<bool> written_once_{false};
  std::atomic<std::uint64_t> next_ticket_{1};
  std::atomic<std::uint64_t> writing_{0};    ///< ticket whose temporary file may be there now
  std::atomic<std::uint64_t> published_{0};  ///< ticket of the newest document in place
  std::atomic<const char*> failed_doing_{nullptr};
  std::atomic<int> failed_why_{0};
};

}  // namespace shakedown
