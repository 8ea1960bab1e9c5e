// SPDX-License-Identifier: Apache-2.0
#include "backends/onednn/onednn_engine.h"

#include <fmt/format.h>
#include <omp.h>

#include <cstdlib>
#include <optional>
#include <utility>

#include "backends/host_matrix/host_threads.h"
#include "backends/onednn/onednn_api.h"
#include "backends/onednn/onednn_product.h"
#include "shakedown/base/error.h"

namespace shakedown {
namespace {

std::string library_name() { return fmt::format("oneDNN {} ({})", onednn_version(), instruction_set()); }

/// The types that oneDNN has words for; whether it has a product of them on this processor is for it to say.
std::optional<HostTypes> types_for(GemmType type) {
  switch (type) {
    case GemmType::float32:
      return HostTypes{DataType::float32, DataType::float32, DataType::float32};
    case GemmType::bfloat16:
      return HostTypes{DataType::bfloat16, DataType::bfloat16, DataType::bfloat16};
    case GemmType::float16:
      return HostTypes{DataType::float16, DataType::float16, DataType::float16};
    case GemmType::int8:
      // Processors multiply unsigned by signed; two signed matrices need a correction before AMX.
      return HostTypes{DataType::uint8, DataType::int8, DataType::int32};
    default:
      return std::nullopt;
  }
}

void add_notices(std::vector<std::string>& notices) {
  notices.emplace_back("oneDNN keeps its matrices in an order of its own, so TN, NN, NT and TT are the same product");
  notices.emplace_back("int8 is uint8 (A) times int8 (B), of 7 bits and a sign");
  if (!has_bfloat16_instructions()) {
    notices.emplace_back(
        "this processor, or ONEDNN_MAX_CPU_ISA, has no bfloat16 instructions: bfloat16 is computed in "
        "float32 and rounded");
  }
  for (const char* name : {"ONEDNN_MAX_CPU_ISA", "DNNL_MAX_CPU_ISA"}) {
    if (const char* value = std::getenv(name)) notices.push_back(fmt::format("{}={} is set", name, value));
  }
}

/// Threads that a parallel region really has when it asks for so many.
int team_of(int wanted) {
  omp_set_dynamic(0);
  omp_set_num_threads(wanted);
  int team = 1;
#pragma omp parallel
  {
#pragma omp single
    team = omp_get_num_threads();
  }
  return team;
}

}  // namespace

std::unique_ptr<OneDnnEngine> OneDnnEngine::open() {
  std::vector<std::string> notices;
  std::vector<int> cpus = cores_to_use(notices);
  const int team = team_of(static_cast<int>(cpus.size()));
  if (team < static_cast<int>(cpus.size())) {
    // oneDNN would divide its work among threads that never come.
    notices.push_back(fmt::format("OpenMP gives {} of {} threads (OMP_THREAD_LIMIT, OMP_MAX_ACTIVE_LEVELS): {} {} used",
                                  team, cpus.size(), team, team == 1 ? "core is" : "cores are"));
    cpus.resize(static_cast<std::size_t>(team));
  }
  add_notices(notices);
  try {
    return std::unique_ptr<OneDnnEngine>(new OneDnnEngine(std::move(notices), std::move(cpus)));
  } catch (const dnnl::error& error) {
    throw Error(fmt::format("open oneDNN {} on this processor: {}", onednn_version(), error.what()));
  }
}

OneDnnEngine::OneDnnEngine(std::vector<std::string> notices, std::vector<int> cpus)
    : HostEngine(library_name(), std::move(notices), std::move(cpus)),
      engine_(dnnl::engine::kind::cpu, 0),
      stream_(engine_) {
  omp_set_dynamic(0);
  omp_set_num_threads(info().units);
}

std::string OneDnnEngine::refusal(const GemmKind& kind) const {
  const auto types = types_for(kind.type);
  if (!types) return fmt::format("{} has no {} matrix product", info().library, name_of(kind.type));
  if (kind.accumulation != Accumulation::standard) {
    return fmt::format("{} has no {} accumulation for {}", info().library, name_of(kind.accumulation),
                       name_of(kind.type));
  }
  try {
    order_of(describe_product(engine_, *types, {256, 256, 256}).weights_desc());
    return {};
  } catch (const dnnl::error& error) {
    return fmt::format("oneDNN {} has no {} matrix product on this processor ({}): {}", onednn_version(),
                       name_of(kind.type), instruction_set(), error.what());
  }
}

HostTypes OneDnnEngine::types_of(const GemmKind& kind) const { return types_for(kind.type).value(); }

std::unique_ptr<HostProduct> OneDnnEngine::make_product(const GemmKind& kind, const GemmShape& shape) const {
  try {
    return std::make_unique<OneDnnProduct>(engine_, stream_, types_of(kind), shape);
  } catch (const dnnl::error& error) {
    throw Error(fmt::format("prepare {} of {}: oneDNN says \"{}\"", format_shape(shape), describe(kind), error.what()));
  }
}

void OneDnnEngine::pin_library_threads() const {
  // The OpenMP runtime reads OMP_PLACES when it is loaded, long before this; and it makes new threads, on the caller's
  // CPU, when a product used fewer of them than the next. So each batch puts them in their places anew.
  const std::vector<int>& places = cpus();
#pragma omp parallel num_threads(info().units)
  pin_this_thread(places[static_cast<std::size_t>(omp_get_thread_num())]);
}

}  // namespace shakedown
