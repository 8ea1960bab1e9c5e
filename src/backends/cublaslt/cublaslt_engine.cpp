// SPDX-License-Identifier: Apache-2.0
#include "backends/cublaslt/cublaslt_engine.h"

#include <algorithm>
#include <utility>

#include "backends/cublaslt/engine_info.h"
#include "backends/cublaslt/gemm_rules.h"
#include "backends/cuda/cuda_check.h"
#include "backends/cuda/open_gpu.h"
#include "shakedown/base/size_text.h"

namespace shakedown {
namespace {

constexpr std::uint64_t flushed_bytes = std::uint64_t{256} << 20;  // as the book's script writes
/// Of each operand before its shapes are known, so that a search seldom stops to fill memory.
constexpr std::uint64_t reserved_bytes = std::uint64_t{2} << 30;

LtHandle make_handle() {
  cublasLtHandle_t raw{};
  check(cublasLtCreate(&raw), "start cuBLASLt");
  return LtHandle(raw);
}

}  // namespace

DeviceOperands LtPrepared::place(const Operands& operands) const {
  const std::uint64_t inputs = calls_ % plan_.places;
  return {.a = operands.a() + inputs * plan_.a_stride,
          .b = operands.b() + inputs * plan_.b_stride,
          .d = operands.d() + calls_ % plan_.d_places * plan_.d_stride,
          .a_scales = plan_.a_scales != 0 ? operands.a_scales() : nullptr,
          .b_scales = plan_.b_scales != 0 ? operands.b_scales() : nullptr};
}

CublasLtEngine::CublasLtEngine(int index) {
  const cudaDeviceProp properties = open_gpu(index);
  GpuFacts facts = read_gpu_facts(index, properties);
  info_ = std::move(facts.info);
  telemetry_ = std::move(facts.telemetry);
  handle_ = make_handle();
  stream_ = make_stream();
  workspace_ = device_memory(workspace_bytes, "allocate cuBLASLt's workspace on the GPU");
  batches_ = std::make_unique<BatchQueue>(stream_.get(), info_.units);
}

CublasLtEngine::~CublasLtEngine() {
  // Memory that a queued product uses must not go before it ends; of an error nobody can be told here.
  if (stream_) cudaStreamSynchronize(stream_.get());
}

Bytes CublasLtEngine::free_memory() const { return free_gpu_memory(); }

std::string CublasLtEngine::refusal(const GemmKind& kind) const {
  std::string reason = gpu_kind_refusal(kind, info_.cc_major * 10 + info_.cc_minor);
  return reason.empty() ? toolkit_refusal(kind.type) : reason;
}

std::string CublasLtEngine::refusal(const GemmKind& kind, const GemmShape& shape) const {
  return gpu_shape_refusal(kind, shape);
}

Bytes CublasLtEngine::memory_for(const GemmKind& kind, const GemmShape& shape) const {
  return memory_of_plan(kind.type, shape, info_.cache);
}

void CublasLtEngine::load(const GemmKind& kind, GemmData data, std::uint64_t seed, Bytes room) {
  const std::string doing = fmt::format("load operands for {}", describe(kind));
  if (const std::string reason = refusal(kind); !reason.empty()) throw Error(fmt::format("{}: {}", doing, reason));
  check(cudaStreamSynchronize(stream_.get()), "wait for products before their operands go");
  last_problem_.reset();
  loaded_.reset();
  const Bytes available{free_memory().count + workspace_bytes};  // the workspace is ours already, and counted in `room`
  if (room > available)
    throw Error(
        fmt::format("{}: {} are asked for, the GPU has {} free; measure smaller shapes, and see with "
                    "nvidia-smi who else uses this GPU",
                    doing, approximate_size(room), approximate_size(available)));
  loaded_.emplace(Loaded{kind, room, Operands(kind.type, data, seed)});
  loaded_->operands.reserve(std::min(room.count / 3, reserved_bytes), stream_.get());
}

CublasLtEngine::Loaded& CublasLtEngine::loaded(const char* doing) {
  if (!loaded_) throw Error(fmt::format("{}: no operands were loaded; call load() first", doing));
  return *loaded_;
}

Operands& CublasLtEngine::operands() { return loaded("use operands").operands; }

std::shared_ptr<LtProblem> CublasLtEngine::problem_of(const GemmShape& shape) {
  if (!last_problem_ || last_problem_->shape() != shape)
    last_problem_ = std::make_shared<LtProblem>(handle_.get(), loaded("describe a product").kind, shape);
  return last_problem_;
}

std::vector<GemmAlgorithm> CublasLtEngine::algorithms(const GemmShape& shape, int most) {
  std::vector<GemmAlgorithm> list;
  if (most < 1 || !refusal(loaded("list algorithms").kind, shape).empty()) return list;
  for (const LtProblem::Offer& offer : problem_of(shape)->offers()) {
    if (list.size() >= static_cast<std::size_t>(most)) break;
    list.push_back({.id = list.size(), .name = offer.name, .waves = offer.waves, .workspace = {offer.workspace}});
  }
  return list;
}

std::unique_ptr<PreparedGemm> CublasLtEngine::prepare(const GemmShape& shape, const GemmAlgorithm& algorithm) {
  Loaded& now = loaded("prepare a product");
  const auto refuse = [&](const std::string& reason) {
    throw Error(fmt::format("prepare {} of {}: {}", format_shape(shape), describe(now.kind), reason));
  };
  if (const std::string reason = refusal(now.kind, shape); !reason.empty()) refuse(reason);
  if (const Bytes needed = memory_for(now.kind, shape); needed > now.room)
    refuse(fmt::format("it needs {}, and operands for {} were loaded", approximate_size(needed),
                       approximate_size(now.room)));
  std::shared_ptr<LtProblem> problem = problem_of(shape);
  if (problem->offers().empty()) refuse("cuBLASLt offers no algorithm for it");
  const bool is_known =
      algorithm.id < problem->offers().size() && problem->offers()[algorithm.id].name == algorithm.name;
  if (!is_known) refuse(fmt::format("cuBLASLt does not offer '{}' as number {}", algorithm.name, algorithm.id));
  problem->validate(algorithm.id);
  const OperandPlan plan = plan_operands(now.kind.type, shape, info_.cache);
  now.operands.require(plan, stream_.get());
  return std::make_unique<LtPrepared>(std::move(problem), algorithm.id, plan);
}

LtPrepared& CublasLtEngine::ready(PreparedGemm& gemm) {
  auto* prepared = dynamic_cast<LtPrepared*>(&gemm);
  if (prepared == nullptr) throw Error("multiply on the GPU: the product was prepared by another engine");
  Operands& now = operands();
  now.require(prepared->plan(), stream_.get());
  prepared->problem().set_scales(now.a_scales(), now.b_scales());
  return *prepared;
}

DeviceOperands CublasLtEngine::queue_product(LtPrepared& gemm) {
  const DeviceOperands place = gemm.place(loaded_->operands);
  const cublasStatus_t status =
      gemm.problem().run(gemm.offer(), place.a, place.b, place.d, workspace_.get(), stream_.get());
  if (status != CUBLAS_STATUS_SUCCESS)
    check(status, fmt::format("multiply {} with {}", format_shape(gemm.shape()), gemm.algorithm()));
  gemm.advance();
  return place;
}

DeviceOperands CublasLtEngine::multiply(PreparedGemm& gemm) { return queue_product(ready(gemm)); }

void CublasLtEngine::start(PreparedGemm& gemm, int calls) {
  if (calls < 1) throw Error(fmt::format("start a batch of {} products: at least 1 is needed", calls));
  LtPrepared& prepared = ready(gemm);
  batches_->start(calls, [&] {
    for (int call = 0; call < calls; ++call) queue_product(prepared);
  });
}

BatchReading CublasLtEngine::finish() { return batches_->finish(); }

void CublasLtEngine::queue_rewrite(const LtPrepared& gemm, std::byte* d) {
  const Operands& now = loaded_->operands;
  const std::uint64_t bytes = gemm.plan().d_stride;
  for (std::uint64_t done = 0; done < bytes; done += now.a_size())
    check(cudaMemcpyAsync(d + done, now.a(), std::min(now.a_size(), bytes - done), cudaMemcpyDeviceToDevice,
                          stream_.get()),
          "rewrite a result on the GPU");
}

std::vector<double> CublasLtEngine::run_flushed(PreparedGemm& gemm, int calls) {
  LtPrepared& prepared = ready(gemm);
  if (!flushed_) flushed_ = device_memory(flushed_bytes, "allocate 256 MiB to flush the GPU's cache with");
  std::vector<UniqueEvent> marks;
  marks.reserve(static_cast<std::size_t>(std::max(0, 2 * calls)));
  for (int call = 0; call < 2 * calls; ++call) marks.push_back(make_event());
  const auto mark = [&](int index) {
    check(cudaEventRecord(marks[static_cast<std::size_t>(index)].get(), stream_.get()), "set a time mark on the GPU");
  };
  for (int call = 0; call < calls; ++call) {
    check(cudaMemsetAsync(flushed_.get(), 0, flushed_bytes, stream_.get()), "flush the GPU's cache");
    queue_rewrite(prepared, prepared.place(loaded_->operands).d);
    mark(2 * call);
    queue_product(prepared);
    mark(2 * call + 1);
  }
  check(cudaStreamSynchronize(stream_.get()), "multiply on the GPU");
  std::vector<double> seconds;
  seconds.reserve(marks.size() / 2);
  for (std::size_t at = 0; at < marks.size(); at += 2) {
    float milliseconds = 0;
    check(cudaEventElapsedTime(&milliseconds, marks[at].get(), marks[at + 1].get()), "read the time of a product");
    seconds.push_back(static_cast<double>(milliseconds) / 1e3);
  }
  return seconds;
}

GemmVerification CublasLtEngine::verify(PreparedGemm& gemm, int samples, std::uint64_t seed) {
  LtPrepared& prepared = ready(gemm);
  const GemmKind& kind = loaded_->kind;
  queue_poison(stream_.get(), kind.type, prepared.shape(), prepared.place(loaded_->operands).d);
  const DeviceOperands place = queue_product(prepared);
  return check_product(stream_.get(), kind, prepared.shape(), place, samples, seed);
}

}  // namespace shakedown
