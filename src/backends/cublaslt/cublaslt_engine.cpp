// SPDX-License-Identifier: Apache-2.0
#include "backends/cublaslt/cublaslt_engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "backends/cublaslt/gemm_rules.h"
#include "backends/cublaslt/nvml_telemetry.h"
#include "backends/cublaslt/product_check.h"
#include "backends/cuda/open_gpu.h"
#include "shakedown/base/env.h"

namespace shakedown {
namespace {

/// cuBLAS's documentation advises 32 MiB from Hopper on; split-K may use more.
constexpr std::size_t workspace_size = 64ull << 20;
/// What the book's script writes between products.
constexpr std::size_t flush_size = 256ull << 20;
/// B's values must not be A's.
constexpr std::uint64_t seed_of_b = 0x5eedb;
constexpr std::uint64_t seed_of_d = 0x5eedd;

OperandFormat format_of(GemmType type, bool second) {
  switch (type) {
    case GemmType::float64:
      return OperandFormat::f64;
    case GemmType::float32:
    case GemmType::tfloat32:
      return OperandFormat::f32;
    case GemmType::float16:
      return OperandFormat::f16;
    case GemmType::bfloat16:
      return OperandFormat::bf16;
    case GemmType::float8_e5m2:
      return second ? OperandFormat::e4m3 : OperandFormat::e5m2;
    case GemmType::int8:
      return OperandFormat::s8;
    case GemmType::nvfp4:
      return OperandFormat::e2m1_pairs;
    default:
      return OperandFormat::e4m3;
  }
}

/// Scales of 1: 2^0 in UE8M0 (mxfp8), 1.0 in UE4M3 (nvfp4).
int scale_byte_of(GemmType type) { return type == GemmType::mxfp8 ? 0x7F : 0x38; }

/// One scale for 16 elements is the most that any block-scaled type has; tiles of 128 x 4 scales are padded.
std::size_t scale_bytes_for(std::uint64_t operand_bytes) { return operand_bytes / 4 + (1u << 20); }

std::vector<std::string> environment_notices(const EnvLookup& environment) {
  std::vector<std::string> notices;
  for (const char* name : {"NVIDIA_TF32_OVERRIDE", "CUBLAS_EMULATE_DOUBLE_PRECISION", "CUBLAS_EMULATE_SINGLE_PRECISION",
                           "CUBLAS_EMULATION_STRATEGY", "CUBLASLT_WORKSPACE_SIZE", "CUBLAS_WORKSPACE_CONFIG"})
    if (const auto value = environment(name))
      notices.push_back(fmt::format("{}={} is set, and may change what the library computes", name, *value));
  return notices;
}

std::string library_name() {
  const std::size_t version = cublasLtGetVersion();  // 130100 for 13.1.0, as cublas_api.h composes it
  return fmt::format("cuBLASLt {}.{}.{}", version / 10000, version / 100 % 100, version % 100);
}

bool is_transposed(const GemmKind& kind, bool second) {
  const GemmLayout layout = kind.layout;
  return second ? layout == GemmLayout::nt || layout == GemmLayout::tt
                : layout == GemmLayout::tn || layout == GemmLayout::tt;
}

}  // namespace

/// A shape, one of its algorithms, and the place that the next call takes.
class CublasLtEngine::Ready final : public PreparedGemm {
 public:
  Ready(std::shared_ptr<LtProblem> problem, std::size_t offer, const OperandPlan& plan)
      : problem_(std::move(problem)), offer_(offer), plan_(plan) {}
  [[nodiscard]] const GemmShape& shape() const override { return problem_->shape(); }
  [[nodiscard]] const std::string& algorithm() const override { return problem_->offers()[offer_].name; }
  [[nodiscard]] int places() const override { return plan_.places; }
  [[nodiscard]] const OperandPlan& plan() const { return plan_; }
  [[nodiscard]] const LtProblem& problem() const { return *problem_; }
  [[nodiscard]] std::size_t offer() const { return offer_; }
  [[nodiscard]] int place() const { return place_; }
  void step() { place_ = (place_ + 1) % plan_.places; }

 private:
  std::shared_ptr<LtProblem> problem_;
  std::size_t offer_;
  OperandPlan plan_;
  int place_{0};
};

CublasLtEngine::CublasLtEngine(int index) {
  const cudaDeviceProp properties = open_gpu(index);
  info_.device = describe_gpu(index, properties);
  info_.chip = properties.name;
  info_.library = library_name();
  info_.units = properties.multiProcessorCount;
  info_.cc_major = properties.major;
  info_.cc_minor = properties.minor;
  info_.cache = Bytes{static_cast<std::uint64_t>(properties.l2CacheSize)};
  info_.notices = environment_notices(process_environment());
  compute_capability_ = 10 * properties.major + properties.minor;
  NvmlFacts facts;
  telemetry_ = open_nvml_telemetry(info_.device->pci, facts);
  info_.max_clock_mhz = facts.max_clock_mhz;
  if (facts.mig) info_.notices.emplace_back("MIG is on: this is a slice of the chip, and peaks are of the slice");
  stream_ = make_stream();
  cublasLtHandle_t raw{};
  check(cublasLtCreate(&raw), "start cuBLASLt");
  handle_.reset(raw);
  workspace_ = device_memory(workspace_size, "allocate cuBLASLt's workspace");
  batches_ = std::make_unique<BatchQueue>(stream_.get(), info_.units);
}

CublasLtEngine::~CublasLtEngine() { cudaStreamSynchronize(stream_.get()); }

Bytes CublasLtEngine::free_memory() const { return free_gpu_memory(); }

std::string CublasLtEngine::refusal(const GemmKind& kind) const { return gpu_kind_refusal(kind, compute_capability_); }

std::string CublasLtEngine::refusal(const GemmKind& kind, const GemmShape& shape) const {
  const std::string why = gpu_kind_refusal(kind, compute_capability_);
  return why.empty() ? gpu_shape_refusal(kind, shape) : why;
}

Bytes CublasLtEngine::memory_for(const GemmKind& kind, const GemmShape& shape) const {
  return Bytes{bytes_of(plan_operands(kind, shape, info_.cache.count))};
}

void CublasLtEngine::load(const GemmKind& kind, GemmData data, std::uint64_t seed, Bytes room) {
  check(cudaStreamSynchronize(stream_.get()), "wait for earlier products");
  problems_.clear();
  kind_ = kind;
  a_.reset({format_of(kind.type, false), data, seed}, "A");
  b_.reset({format_of(kind.type, true), data, seed ^ seed_of_b}, "B");
  // Any values do: D is written, never read. These come before a product in mamf-v2, too.
  d_.reset({OperandFormat::s8, GemmData::uniform, seed ^ seed_of_d}, "D");
  a_scales_.reset();
  b_scales_.reset();
  if (kind.type == GemmType::mxfp8 || kind.type == GemmType::nvfp4) {
    const std::size_t bytes = scale_bytes_for(room.count);
    for (UniqueMemory* scales : {&a_scales_, &b_scales_}) {
      *scales = device_memory(bytes, "allocate the scales of the blocks");
      check(cudaMemsetAsync(scales->get(), scale_byte_of(kind.type), bytes, stream_.get()), "fill the scales");
    }
  }
  // Half of the room for each matrix covers nearly every shape at once; prepare() lets the rest grow. Where memory is
  // short each grows when it is needed.
  if (2 * room.count <= free_memory().count)
    for (OperandPool* pool : {&a_, &b_, &d_}) pool->require(room.count / 2, stream_.get());
  check(cudaStreamSynchronize(stream_.get()), "fill the operands on the GPU");
}

const std::shared_ptr<LtProblem>& CublasLtEngine::problem_of(const GemmShape& shape) {
  auto& problem = problems_[shape];
  if (!problem)
    problem =
        std::make_shared<LtProblem>(handle_.get(), kind_, shape, workspace_size, a_scales_.get(), b_scales_.get());
  return problem;
}

std::vector<GemmAlgorithm> CublasLtEngine::algorithms(const GemmShape& shape, int most) {
  std::vector<GemmAlgorithm> all;
  const auto& offers = problem_of(shape)->offers();
  for (std::size_t i = 0; i < offers.size() && i < static_cast<std::size_t>(std::max(0, most)); ++i)
    all.push_back({.id = i, .name = offers[i].name, .waves = offers[i].waves, .workspace = Bytes{offers[i].workspace}});
  return all;
}

std::unique_ptr<PreparedGemm> CublasLtEngine::prepare(const GemmShape& shape, const GemmAlgorithm& algorithm) {
  const auto& problem = problem_of(shape);
  if (algorithm.id >= problem->offers().size())
    throw Error(fmt::format("prepare {}: the library offers no algorithm {}", format_shape(shape), algorithm.name));
  problem->validate(algorithm.id);
  const OperandPlan plan = plan_operands(kind_, shape, info_.cache.count);
  const auto places = static_cast<std::uint64_t>(plan.places);
  a_.require(places * plan.a_stride, stream_.get());
  b_.require(places * plan.b_stride, stream_.get());
  d_.require(places * plan.d_stride, stream_.get());
  return std::make_unique<Ready>(problem, algorithm.id, plan);
}

CublasLtEngine::Ready& CublasLtEngine::mine(PreparedGemm& gemm) const {
  auto* ready = dynamic_cast<Ready*>(&gemm);
  if (ready == nullptr) throw Error("launch a product: another engine prepared it");
  return *ready;
}

void CublasLtEngine::launch(Ready& gemm) {
  const OperandPlan& plan = gemm.plan();
  const auto place = static_cast<std::uint64_t>(gemm.place());
  const cublasStatus_t status =
      gemm.problem().run(gemm.offer(), a_.data() + place * plan.a_stride, b_.data() + place * plan.b_stride,
                         d_.data() + place * plan.d_stride, workspace_.get(), workspace_size, stream_.get());
  if (status != CUBLAS_STATUS_SUCCESS)
    check(status,
          fmt::format("multiply {} ({}) on GPU {}", format_shape(gemm.shape()), describe(kind_), info_.device->index));
  gemm.step();
}

void CublasLtEngine::start(PreparedGemm& gemm, int calls) {
  Ready& ready = mine(gemm);
  batches_->start(calls, [&] {
    for (int i = 0; i < calls; ++i) launch(ready);
  });
}

BatchReading CublasLtEngine::finish() { return batches_->finish(); }

std::vector<double> CublasLtEngine::run_flushed(PreparedGemm& gemm, int calls) {
  Ready& ready = mine(gemm);
  constexpr const char* doing = "multiply with a flushed cache";
  if (!flush_) flush_ = device_memory(flush_size, "allocate what flushes the cache");
  struct Marks {
    UniqueEvent before, after;
  };
  std::vector<Marks> marks;
  for (int i = 0; i < calls; ++i) marks.push_back({make_event(), make_event()});
  for (const Marks& mark : marks) {
    const OperandPlan& plan = ready.plan();
    const auto place = static_cast<std::uint64_t>(ready.place());
    const std::uint64_t other = (place + 1) % static_cast<std::uint64_t>(plan.places);
    check(cudaMemsetAsync(flush_.get(), 0, flush_size, stream_.get()), doing);
    check(cudaMemcpyAsync(d_.data() + place * plan.d_stride, d_.data() + other * plan.d_stride, plan.d_stride,
                          cudaMemcpyDeviceToDevice, stream_.get()),
          doing);
    check(cudaEventRecord(mark.before.get(), stream_.get()), doing);
    launch(ready);
    check(cudaEventRecord(mark.after.get(), stream_.get()), doing);
  }
  std::vector<double> seconds;
  for (const Marks& mark : marks) {
    wait_for(mark.after.get(), doing);
    float milliseconds = 0;
    check(cudaEventElapsedTime(&milliseconds, mark.before.get(), mark.after.get()), doing);
    seconds.push_back(static_cast<double>(milliseconds) / 1e3);
  }
  return seconds;
}

std::vector<double> CublasLtEngine::vector_of(const Ready& gemm, bool second, int place, std::uint64_t index) const {
  const GemmShape& shape = gemm.shape();
  const OperandPool& pool = second ? b_ : a_;
  const std::uint64_t stride = second ? gemm.plan().b_stride : gemm.plan().a_stride;
  const std::byte* base = pool.data() + static_cast<std::uint64_t>(place) * stride;
  const std::uint64_t bits = input_bits_of(kind_.type);
  // A's rows are contiguous where it is transposed, B's columns where it is not.
  const bool contiguous = is_transposed(kind_, second) != second;
  const std::uint64_t lead = second ? shape.n : shape.m;
  std::vector<std::byte> bytes(shape.k * std::max<std::uint64_t>(1, bits / 8));
  constexpr const char* doing = "read operands back for a check";
  if (contiguous) {
    check(cudaMemcpy(bytes.data(), base + index * shape.k * bits / 8, shape.k * bits / 8, cudaMemcpyDeviceToHost),
          doing);
  } else {
    check(cudaMemcpy2D(bytes.data(), bits / 8, base + index * bits / 8, lead * bits / 8, bits / 8, shape.k,
                       cudaMemcpyDeviceToHost),
          doing);
  }
  std::vector<double> values(shape.k);
  for (std::uint64_t i = 0; i < shape.k; ++i) values[i] = operand_value(kind_.type, second, bytes.data(), i);
  return values;
}

GemmVerification CublasLtEngine::verify(PreparedGemm& gemm, int samples, std::uint64_t seed) {
  Ready& ready = mine(gemm);
  const int place = ready.place();
  std::byte* d = d_.data() + static_cast<std::uint64_t>(place) * ready.plan().d_stride;
  constexpr const char* doing = "check a product";
  check(cudaMemsetAsync(d, 0xFF, ready.plan().d_stride, stream_.get()), doing);
  launch(ready);
  check(cudaStreamSynchronize(stream_.get()), doing);
  GemmVerification found;
  const std::size_t element_size = output_size_of(kind_.type);
  for_each_sample(ready.shape(), samples, seed, [&](std::uint64_t row, std::uint64_t column) {
    alignas(8) std::byte element[8]{};
    check(
        cudaMemcpy(element, d + (column * ready.shape().m + row) * element_size, element_size, cudaMemcpyDeviceToHost),
        doing);
    const std::vector<double> a = vector_of(ready, false, place, row);
    const std::vector<double> b = vector_of(ready, true, place, column);
    check_element(
        kind_, ready.shape().k,
        {.row = row, .column = column, .a = a.data(), .b = b.data(), .got = result_value(kind_.type, element)}, found);
  });
  return found;
}

}  // namespace shakedown
