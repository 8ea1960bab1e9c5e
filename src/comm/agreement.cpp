// SPDX-License-Identifier: Apache-2.0
#include "shakedown/comm/agreement.h"

#include <fmt/format.h>

#include <exception>

namespace shakedown {
namespace {

/// Empty when it went well, else a byte for the exit code and the text.
std::string attempt(const std::string& who, const std::function<void()>& body) {
  const auto encode = [&](ExitCode code, const char* what) {
    return std::string(1, static_cast<char>(code)) + (who.empty() ? what : fmt::format("{}: {}", who, what));
  };
  try {
    body();
  } catch (const Error& error) {
    return encode(error.exit_code(), error.what());
  } catch (const std::exception& error) {
    return encode(ExitCode::failed, error.what());
  }
  return {};
}

}  // namespace

void agree(Session& session, const std::string& who, const std::function<void()>& body) {
  std::string first;
  int failures = 0;
  for (const std::string& answer : session.all_gather(attempt(who, body))) {
    if (answer.empty()) continue;
    if (failures++ == 0) first = answer;
  }
  if (failures == 0) return;
  const auto code = static_cast<ExitCode>(static_cast<unsigned char>(first[0]));
  std::string text = first.substr(1);
  if (failures > 1) text += fmt::format(" (and {} other {} failed)", failures - 1, failures == 2 ? "rank" : "ranks");
  throw AgreedError(text, code);
}

}  // namespace shakedown
