// SPDX-License-Identifier: Apache-2.0
#include "backends/blas/blas_engine.h"

#include <fmt/format.h>
#include <sched.h>

// After sched.h: OpenBLAS declares functions that take a cpu_set_t.
#include <cblas.h>

#include <sstream>
#include <utility>

#include "backends/blas/blas_product.h"
#include "backends/host_matrix/host_threads.h"

// Absent before OpenBLAS 0.3.21, and where OpenMP is its runtime.
#pragma weak openblas_setaffinity

namespace shakedown {

std::string openblas_version() {
  std::istringstream words{openblas_get_config()};  // "OpenBLAS 0.3.21 DYNAMIC_ARCH ..."
  std::string name;
  std::string version;
  words >> name >> version;
  return version;
}

std::unique_ptr<BlasEngine> BlasEngine::open(std::vector<std::string> notices) {
  std::vector<int> cpus = cores_to_use(notices);
  openblas_set_num_threads(static_cast<int>(cpus.size()));
  const auto threads = static_cast<std::size_t>(openblas_get_num_threads());
  if (threads < cpus.size()) {
    notices.push_back(fmt::format("OpenBLAS was built for {} threads, of {} cores", threads, cpus.size()));
    cpus.resize(threads);
  }
  return std::unique_ptr<BlasEngine>(
      new BlasEngine(fmt::format("OpenBLAS {} ({})", openblas_version(), openblas_get_corename()), std::move(notices),
                     std::move(cpus)));
}

BlasEngine::BlasEngine(std::string library, std::vector<std::string> notices, std::vector<int> cpus)
    : HostEngine(std::move(library), std::move(notices), std::move(cpus)) {}

std::string BlasEngine::refusal(const GemmKind& kind) const {
  if (kind.type != GemmType::float64 && kind.type != GemmType::float32) {
    return fmt::format("{} multiplies float64 and float32, not {}", info().library, name_of(kind.type));
  }
  if (kind.accumulation != Accumulation::standard) {
    return fmt::format("{} has no {} accumulation", info().library, name_of(kind.accumulation));
  }
  return {};
}

HostTypes BlasEngine::types_of(const GemmKind& kind) const {
  const DataType type = kind.type == GemmType::float64 ? DataType::float64 : DataType::float32;
  return {type, type, type};
}

std::unique_ptr<HostProduct> BlasEngine::make_product(const GemmKind& kind, const GemmShape& shape) const {
  return std::make_unique<BlasProduct>(kind, shape);
}

void BlasEngine::pin_library_threads() const {
  if (openblas_setaffinity == nullptr || openblas_get_parallel() != OPENBLAS_THREAD) return;
  for (std::size_t i = 1; i < cpus().size(); ++i) {  // OpenBLAS counts the caller as the last of its threads
    cpu_set_t only = set_of(cpus()[i]);
    openblas_setaffinity(static_cast<int>(i) - 1, sizeof only, &only);
  }
}

}  // namespace shakedown
