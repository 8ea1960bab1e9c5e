// SPDX-License-Identifier: Apache-2.0
#include "backends/host_matrix/host_engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <string_view>
#include <utility>

#include "backends/host_matrix/cpu_telemetry.h"
#include "backends/host_matrix/host_threads.h"
#include "backends/host_matrix/random_values.h"
#include "backends/host_matrix/sampled_check.h"
#include "shakedown/base/error.h"
#include "shakedown/hw/cpu_topology.h"
#include "shakedown/hw/gemm_peak.h"
#include "shakedown/hw/memory.h"
#include "shakedown/math/gemm_cost.h"

namespace shakedown {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint64_t mib = std::uint64_t{1} << 20;
constexpr std::uint64_t flushed_at_least = 256 * mib;  // as the book's script writes
constexpr std::uint64_t kept_free = 256 * mib;         // for the libraries' own buffers and the rest of the process
constexpr std::uint64_t cache_when_unknown = 64 * mib;
// The libraries pad to multiples of at most this.
constexpr std::uint64_t padding = 64;
// Beyond, places of ever smaller matrices only cost time to set up.
constexpr std::uint64_t most_places = 1024;
constexpr std::uint64_t line = 64;  // operands start at a line of the cache, as the libraries ask
constexpr std::uint64_t largest = std::numeric_limits<std::uint64_t>::max();

constexpr std::uint64_t rounded_up(std::uint64_t value, std::uint64_t step) {
  return value > largest - step ? largest / step * step : (value + step - 1) / step * step;
}

constexpr std::uint64_t saturating_sum(std::uint64_t a, std::uint64_t b) { return a > largest - b ? largest : a + b; }

/// Inputs of at least twice the cache, and never the same twice in a row.
std::uint64_t places_for(std::uint64_t inputs, Bytes cache) {
  const std::uint64_t wanted = 2 * cache.count / std::max<std::uint64_t>(inputs, 1) + 1;
  return std::clamp<std::uint64_t>(wanted, 2, most_places);
}

double seconds_since(Clock::time_point start) { return Seconds{Clock::now() - start}.count(); }

HostPrepared& own(PreparedGemm& gemm) {
  auto* prepared = dynamic_cast<HostPrepared*>(&gemm);
  if (prepared == nullptr) throw Error("multiply on the CPU: the product was prepared by another engine");
  return *prepared;
}

/// Memory for the places of one operand: part of what all shapes share, or its own where it is padded.
OperandMemory& memory_of(HostPrepared& prepared, OperandMemory& shared, const OperandOrder& order, std::size_t bytes,
                         const std::vector<std::byte>& block, const std::vector<int>& cpus) {
  OperandMemory* memory = &shared;
  if (order.is_padded) {
    auto padded = std::make_unique<OperandMemory>(Bytes{bytes}, block, cpus);
    memory = padded.get();
    prepared.keep(std::move(padded));
  }
  memory->grow_to(bytes);
  return *memory;
}

}  // namespace

std::vector<int> cores_to_use(std::vector<std::string>& notices) {
  std::vector<int> cpus = usable_cores();
  const char* text = std::getenv("OMP_NUM_THREADS");
  const std::string_view limit{text == nullptr ? "" : text};
  std::size_t threads = 0;
  std::from_chars(limit.data(), limit.data() + limit.size(), threads);
  if (threads > 0 && threads < cpus.size()) {
    notices.push_back(fmt::format("OMP_NUM_THREADS={}: {} of {} cores are used", limit, threads, cpus.size()));
    cpus.resize(threads);
  }
  return cpus;
}

HostEngine::HostEngine(std::string library, std::vector<std::string> notices, std::vector<int> cpus)
    : cpus_(std::move(cpus)), telemetry_(make_cpu_telemetry(cpus_)) {
  const CpuFacts facts = read_cpu_facts();
  info_.chip = facts.name;
  info_.library = std::move(library);
  info_.units = static_cast<int>(cpus_.size());
  info_.max_clock_mhz = facts.max_clock_mhz;
  info_.notices = std::move(notices);
  info_.cache = last_level_cache(cpus_);
  if (info_.cache.count == 0) {
    info_.cache = Bytes{cache_when_unknown};
    info_.notices.push_back(
        fmt::format("the size of the last-level cache is not known; taken to be {} MiB", cache_when_unknown / mib));
  }
}

Bytes HostEngine::free_memory() const {
  // A, B and D reserve the whole room each (operand_memory.h), which an address-space limit counts.
  const std::uint64_t available = std::min(available_host_memory().count, address_space_left() / 3);
  const std::uint64_t reserve = kept_free + std::max(flushed_at_least, 2 * info_.cache.count);
  return Bytes{available - std::min(available, reserve)};
}

std::string HostEngine::refusal(const GemmKind& kind, const GemmShape& shape) const {
  constexpr std::uint64_t most = std::numeric_limits<std::int32_t>::max() - padding;
  for (const std::uint64_t size : {shape.m, shape.n, shape.k}) {
    if (size == 0) return "m, n and k must be at least 1";
    if (size > most) return fmt::format("m, n and k must be at most {} on a CPU", most);
  }
  // 127 x 127 is the largest product of two inputs.
  constexpr std::uint64_t longest_int8 = std::numeric_limits<std::int32_t>::max() / (127 * 127);
  if (kind.type == GemmType::int8 && shape.k > longest_int8) {
    return fmt::format("k must be at most {} for int8, or sums could overflow int32", longest_int8);
  }
  return {};
}

Bytes HostEngine::memory_for(const GemmKind& kind, const GemmShape& shape) const {
  const GemmShape padded{rounded_up(shape.m, padding), rounded_up(shape.n, padding), rounded_up(shape.k, padding)};
  const std::uint64_t inputs = saturating_sum(input_bytes_of(padded, kind.type).count, 2 * line);
  // What places_for() makes of it, and grows with the shape although the number of places does not.
  const std::uint64_t rotated = std::max(saturating_sum(inputs, inputs), saturating_sum(inputs, 2 * info_.cache.count));
  return Bytes{saturating_sum(rotated, output_bytes_of(padded, kind.type).count)};
}

void HostEngine::load(const GemmKind& kind, GemmData data, std::uint64_t seed, Bytes room) {
  loaded_.reset();
  readings_.clear();
  if (const std::string reason = refusal(kind); !reason.empty()) {
    throw Error(fmt::format("load operands for {}: {}", describe(kind), reason));
  }
  const Bytes available = available_host_memory();
  if (available.count > 0 && room > available) {
    throw Error(fmt::format("load operands for {}: {} bytes are asked for, {} are available; measure smaller shapes",
                            describe(kind), room.count, available.count));
  }
  auto fresh = std::make_unique<Loaded>();
  fresh->kind = kind;
  fresh->types = types_of(kind);
  fresh->room = room;
  fresh->a_block = make_value_block(fresh->types.a, data, seed);
  fresh->b_block = make_value_block(fresh->types.b, data, ~seed);
  fresh->a = std::make_unique<OperandMemory>(room, fresh->a_block, cpus_);
  fresh->b = std::make_unique<OperandMemory>(room, fresh->b_block, cpus_);
  fresh->d = std::make_unique<OperandMemory>(room, fresh->no_block, cpus_);
  loaded_ = std::move(fresh);
}

HostEngine::Loaded& HostEngine::loaded(const char* doing) const {
  if (!loaded_) throw Error(fmt::format("{}: no operands were loaded; call load() first", doing));
  return *loaded_;
}

void HostEngine::check_fits(const GemmShape& shape) const {
  const Loaded& now = loaded("prepare a product");
  std::string reason = refusal(now.kind, shape);
  const Bytes needed = memory_for(now.kind, shape);
  if (reason.empty() && needed > now.room) {
    reason = fmt::format("it needs {} bytes, and {} were loaded", needed.count, now.room.count);
  }
  if (!reason.empty())
    throw Error(fmt::format("prepare {} of {}: {}", format_shape(shape), describe(now.kind), reason));
}

std::vector<GemmAlgorithm> HostEngine::algorithms(const GemmShape& shape, int most) {
  if (most < 1 || !refusal(loaded("list algorithms").kind, shape).empty()) return {};
  try {
    return {{.id = 0, .name = make_product(loaded_->kind, shape)->algorithm(), .waves = 0, .workspace = {}}};
  } catch (const Error&) {
    return {};  // the library knows none; prepare() tells its words
  }
}

std::unique_ptr<PreparedGemm> HostEngine::prepare(const GemmShape& shape, const GemmAlgorithm& algorithm) {
  check_fits(shape);
  Loaded& now = *loaded_;
  if (algorithm.id != 0) {
    throw Error(fmt::format("prepare {}: {} has one algorithm for a shape, not number {}", format_shape(shape),
                            info_.library, algorithm.id));
  }
  auto prepared = std::make_unique<HostPrepared>(shape, make_product(now.kind, shape));
  HostProduct& product = prepared->product();
  const OperandOrder a = product.a_order();
  const OperandOrder b = product.b_order();
  const std::size_t a_step = rounded_up(a.bytes, line);
  const std::size_t b_step = rounded_up(b.bytes, line);
  const std::size_t count = places_for(a_step + b_step, info_.cache);
  OperandMemory& a_memory = memory_of(*prepared, *now.a, a, count * a_step, now.a_block, cpus_);
  OperandMemory& b_memory = memory_of(*prepared, *now.b, b, count * b_step, now.b_block, cpus_);
  now.d->grow_to(product.d_bytes());
  std::vector<OperandPointers> places;
  places.reserve(count);
  for (std::size_t place = 0; place < count; ++place) {
    places.push_back({a_memory.data() + place * a_step, b_memory.data() + place * b_step, now.d->data()});
  }
  prepared->set_places(std::move(places));
  return prepared;
}

void HostEngine::start(PreparedGemm& gemm, int calls) {
  HostPrepared& prepared = own(gemm);
  if (readings_.size() >= static_cast<std::size_t>(batches_in_flight)) {
    throw Error(fmt::format("start a batch: {} are started and not finished", readings_.size()));
  }
  if (calls < 1) throw Error(fmt::format("start a batch of {} products: at least 1 is needed", calls));
  const PinnedHere pinned{cpus_.front()};
  pin_library_threads();
  meter_.start();
  const auto start = Clock::now();
  for (int call = 0; call < calls; ++call) prepared.multiply_next();
  const double elapsed = seconds_since(start);
  readings_.push_back({Seconds{elapsed / calls}, meter_.stop_mhz()});
}

BatchReading HostEngine::finish() {
  if (readings_.empty()) throw Error("finish a batch: none was started");
  const BatchReading reading = readings_.front();
  readings_.pop_front();
  return reading;
}

void HostEngine::flush_cache() {
  const std::size_t size = std::max(flushed_at_least, 2 * info_.cache.count);
  if (!flush_) flush_ = std::make_unique<OperandMemory>(Bytes{size}, no_block_, cpus_);
  flush_->grow_to(size);
  on_each_core(cpus_, [&](std::size_t core) {
    const std::size_t begin = size / cpus_.size() * core;
    std::memset(flush_->data() + begin, static_cast<int>(core), size / cpus_.size());
  });
}

std::vector<double> HostEngine::run_flushed(PreparedGemm& gemm, int calls) {
  HostPrepared& prepared = own(gemm);
  const std::size_t d_bytes = prepared.product().d_bytes();
  std::vector<double> seconds;
  seconds.reserve(static_cast<std::size_t>(std::max(calls, 0)));
  for (int call = 0; call < calls; ++call) {
    flush_cache();
    fill_repeated(prepared.next_place().d, 0, d_bytes, loaded("run a product").a_block);
    const PinnedHere pinned{cpus_.front()};
    pin_library_threads();
    const auto start = Clock::now();
    prepared.multiply_next();
    seconds.push_back(seconds_since(start));
  }
  return seconds;
}

GemmVerification HostEngine::verify(PreparedGemm& gemm, int samples, std::uint64_t seed) {
  HostPrepared& prepared = own(gemm);
  const HostTypes types = loaded("verify a product").types;
  poison_result(types.d, prepared.next_place().d, prepared.product().d_bytes());
  const PinnedHere pinned{cpus_.front()};
  pin_library_threads();
  const OperandPointers operands = prepared.multiply_next();
  return check_samples(prepared.product(), types, prepared.shape(), operands, samples, seed);
}

}  // namespace shakedown
