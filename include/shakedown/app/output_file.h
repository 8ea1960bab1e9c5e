// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace shakedown {

/// A result file that is at any instant absent, the previous one, or a whole new document.
///
/// A regular or absent file (links resolved) is replaced by rename from a sibling temporary file; anything else (a device, a FIFO) is
/// written once, by the last write. Safe to use from the signal thread: write() takes no lock.
class OutputFile {
 public:
  /// Proves that the file can be written and has room for a byte; leaves an existing file untouched. Throws UsageError.
  explicit OutputFile(std::string path);
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  ~OutputFile();

  /// Writes the document, or keeps it for the last write where the target is no regular file. `last` marks the run's end.
  /// False on an error, which error() tells.
  bool write(std::string_view document, bool last);
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] const std::string& error() const { return error_; }

 private:
  std::string path_;
  std::string target_;  ///< links resolved
  bool replaceable_{true};
  std::string error_;
};

}  // namespace shakedown
