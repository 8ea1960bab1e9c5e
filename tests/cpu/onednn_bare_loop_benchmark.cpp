// SPDX-License-Identifier: Apache-2.0
// Our oneDNN engine's batches beside oneDNN called in a bare loop: same process, threads, shape and number of buffers,
// alternating. Prints the ratio of the medians, the bare loop against itself, and a bare loop over a single set of
// buffers. A benchmark for people, not a test: timings are noisy.
#include <fmt/format.h>
#include <sched.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <dnnl.hpp>
#include <random>
#include <unordered_map>
#include <vector>

#include "shakedown/backends/matrix_module.h"
#include "shakedown/math/gemm_cost.h"
#include "shakedown/math/statistics.h"

namespace shakedown {
namespace {

constexpr int pairs = 15;
constexpr double batch_seconds = 0.2;

/// The element types of a product, in oneDNN's words.
struct BareTypes {
  GemmType type;
  dnnl::memory::data_type a, b, d;
};

/// Random bits that are numbers of usual size: bytes below 0x40 in the top of each float.
void fill(const dnnl::memory& memory, std::size_t element) {
  std::minstd_rand random;
  const std::size_t size = memory.get_desc().get_size();
  auto* bytes = static_cast<unsigned char*>(memory.get_data_handle());
  for (std::size_t i = 0; i < size; ++i) {
    const auto value = static_cast<unsigned char>(random() >> 8);
    bytes[i] = element > 1 && i % element == element - 1 ? static_cast<unsigned char>(0x3E + (value & 0x80)) : value;
    if (element == 1) bytes[i] &= 0x7F;
  }
}

/// A loop around primitive.execute(), as anybody would write it.
class BareLoop {
 public:
  BareLoop(const BareTypes& types, const GemmShape& shape, std::size_t places) {
    using Desc = dnnl::memory::desc;
    const auto matrix = [](std::uint64_t rows, std::uint64_t columns, dnnl::memory::data_type type) {
      return Desc({static_cast<dnnl_dim_t>(rows), static_cast<dnnl_dim_t>(columns)}, type,
                  dnnl::memory::format_tag::any);
    };
    const Desc a_desc = matrix(shape.m, shape.k, types.a);
    const Desc b_desc = matrix(shape.k, shape.n, types.b);
    const Desc d_desc = matrix(shape.m, shape.n, types.d);
#if DNNL_VERSION_MAJOR >= 3
    const dnnl::matmul::primitive_desc description(engine_, a_desc, b_desc, d_desc);
#else
    const dnnl::matmul::primitive_desc description(dnnl::matmul::desc(a_desc, b_desc, d_desc), engine_);
#endif
    primitive_ = dnnl::matmul(description);
    const dnnl::memory d(description.dst_desc(), engine_);
    for (std::size_t place = 0; place < places; ++place) {
      const dnnl::memory a(description.src_desc(), engine_);
      const dnnl::memory b(description.weights_desc(), engine_);
      fill(a, dnnl::memory::data_type_size(types.a));
      fill(b, dnnl::memory::data_type_size(types.b));
      arguments_.push_back({{DNNL_ARG_SRC, a}, {DNNL_ARG_WEIGHTS, b}, {DNNL_ARG_DST, d}});
    }
  }

  double per_call(int calls, std::size_t places) {
    using Clock = std::chrono::steady_clock;
    const auto start = Clock::now();
    for (int call = 0; call < calls; ++call) {
      primitive_.execute(stream_, arguments_[next_++ % places]);
      stream_.wait();
    }
    return std::chrono::duration<double>(Clock::now() - start).count() / calls;
  }

  [[nodiscard]] std::size_t places() const { return arguments_.size(); }

 private:
  dnnl::engine engine_{dnnl::engine::kind::cpu, 0};
  dnnl::stream stream_{engine_};
  dnnl::matmul primitive_;
  std::vector<std::unordered_map<int, dnnl::memory>> arguments_;
  std::size_t next_{};
};

void compare(MatrixEngine& engine, const BareTypes& types, const GemmShape& shape) {
  const GemmKind kind{.type = types.type};
  if (const std::string reason = engine.refusal(kind); !reason.empty()) {
    fmt::print("| {} | {} | {} |\n", name_of(types.type), format_shape(shape), reason);
    return;
  }
  engine.load(kind, GemmData::normal, 1, engine.memory_for(kind, shape));
  const auto gemm = engine.prepare(shape, engine.algorithms(shape, 1).at(0));
  BareLoop bare(types, shape, static_cast<std::size_t>(gemm->places()));
  bare.per_call(2, bare.places());
  const double warm = bare.per_call(3, bare.places());
  const int calls = std::max(3, static_cast<int>(batch_seconds / warm));
  const auto ours = [&] {
    engine.start(*gemm, calls);
    return engine.finish().per_call.count();
  };
  ours();
  std::vector<double> mine, theirs, ratios, same, single;
  for (int pair = 0; pair < pairs; ++pair) {
    const double first = bare.per_call(calls, bare.places());
    const double tool = ours();
    const double again = bare.per_call(calls, bare.places());
    single.push_back(bare.per_call(calls, 1) / first);
    ratios.push_back((first + again) / 2 / tool);
    same.push_back(first / again);
    mine.push_back(tool);
    theirs.push_back(first);
  }
  const double work = operations_of(shape) * 1e-9;
  std::sort(ratios.begin(), ratios.end());
  std::sort(same.begin(), same.end());
  fmt::print(
      "| {} | {} | {} | {} | {:.1f} | {:.1f} | {:.3f} | {:.3f} to {:.3f} | {:.3f} | {:.3f} to {:.3f} | {:.3f} |\n",
      name_of(types.type), format_shape(shape), gemm->places(), calls, work / median_of(theirs), work / median_of(mine),
      median_of(ratios), ratios[pairs / 4], ratios[pairs - 1 - pairs / 4], median_of(same), same[pairs / 4],
      same[pairs - 1 - pairs / 4], 1 / median_of(single));
}

/// The engine pins its threads while it computes, so the bare loop gets the same.
void pin_main_thread() {
  cpu_set_t all;
  if (::sched_getaffinity(0, sizeof all, &all) != 0) return;
  for (std::size_t cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (!CPU_ISSET(cpu, &all)) continue;
    cpu_set_t only;
    CPU_ZERO(&only);
    CPU_SET(cpu, &only);
    ::sched_setaffinity(0, sizeof only, &only);
    return;
  }
}

}  // namespace
}  // namespace shakedown

int main() {
  using namespace shakedown;
  using Type = dnnl::memory::data_type;
  const auto loaded = load_onednn_module();
  if (!loaded.module) {
    fmt::print(stderr, "{}\n", loaded.reason);
    return EXIT_FAILURE;
  }
  const auto engine = loaded.module->open_engine(0);
  pin_main_thread();
  fmt::print("{} on {}, {} cores; rates in GFLOPS (GOPS), medians of {} pairs; ranges hold the middle half\n",
             engine->info().library, engine->info().chip, engine->info().units, pairs);
  fmt::print(
      "| dtype | shape | places | calls | bare | ours | ours/bare | range | bare/bare | range | one place/bare |\n");
  fmt::print("| :-- | :-- | --: | --: | --: | --: | --: | --: | --: | --: | --: |\n");
  const BareTypes all[] = {{GemmType::float32, Type::f32, Type::f32, Type::f32},
                           {GemmType::bfloat16, Type::bf16, Type::bf16, Type::bf16},
                           {GemmType::int8, Type::u8, Type::s8, Type::s32}};
  for (const BareTypes& types : all) {
    for (const GemmShape& shape :
         {GemmShape{1024, 1024, 1024}, GemmShape{2048, 2048, 2048}, GemmShape{4096, 4096, 4096}}) {
      compare(*engine, types, shape);
    }
  }
}
