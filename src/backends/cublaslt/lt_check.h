// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cublasLt.h>
#include <fmt/format.h>

#include <memory>
#include <string_view>
#include <type_traits>

#include "shakedown/base/error.h"

namespace shakedown {

/// Throws Error, which says what we were doing and what cuBLASLt answered.
inline void check(cublasStatus_t status, std::string_view doing, Site at = Site::here()) {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  throw Error(fmt::format("{}: {} ({})", doing, cublasLtGetStatusString(status), cublasLtGetStatusName(status)), at);
}

/// Gives a handle of cuBLASLt back; errors are ignored, since a destructor can do nothing about them.
template <class Handle, cublasStatus_t (*give_back)(Handle)>
struct LtDeleter {
  using pointer = Handle;
  void operator()(Handle handle) const noexcept { give_back(handle); }
};

template <class Handle, cublasStatus_t (*give_back)(Handle)>
using UniqueLt = std::unique_ptr<std::remove_pointer_t<Handle>, LtDeleter<Handle, give_back>>;

using LtHandle = UniqueLt<cublasLtHandle_t, cublasLtDestroy>;
using LtMatmul = UniqueLt<cublasLtMatmulDesc_t, cublasLtMatmulDescDestroy>;
using LtLayout = UniqueLt<cublasLtMatrixLayout_t, cublasLtMatrixLayoutDestroy>;
using LtPreference = UniqueLt<cublasLtMatmulPreference_t, cublasLtMatmulPreferenceDestroy>;

}  // namespace shakedown
