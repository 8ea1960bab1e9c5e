// SPDX-License-Identifier: Apache-2.0
#include "shakedown/model/time_statistics.h"

namespace shakedown {

std::string_view name_of(RowStatus status) {
  switch (status) {
    case RowStatus::ok:
      return "ok";
    case RowStatus::skipped:
      return "skipped";
    case RowStatus::failed:
      return "failed";
  }
  return "unknown";
}

}  // namespace shakedown
