// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "shakedown/base/device_info.h"
#include "shakedown/base/gemm_kind.h"
#include "shakedown/base/units.h"
#include "shakedown/gemm/telemetry.h"

namespace shakedown {

/// The chip and the library behind an engine.
struct EngineInfo {
  std::optional<DeviceInfo> device;  ///< none on the CPU
  std::string chip;                  ///< "NVIDIA H200", "AMD EPYC 9B14"
  std::string library;               ///< "cuBLASLt 13.1.0", "oneDNN 2.6.3 (avx512_core_bf16)"
  int units{};                       ///< SMs, or cores in use
  int cc_major{}, cc_minor{};        ///< compute capability; 0.0 on the CPU
  Bytes cache{};                     ///< the last-level cache that inputs must not live in
  std::optional<double> max_clock_mhz;
  std::vector<std::string> notices;  ///< what a reader should know, e.g. that NVIDIA_TF32_OVERRIDE is set
};

/// One way in which the library can compute a shape.
struct GemmAlgorithm {
  std::size_t id{};  ///< for prepare(), of the shape that it was listed for
  std::string name;  ///< "nvjet tile 128x256 stages 4 split-K 1", stable between runs
  double waves{};    ///< how often it fills the chip; 0 when not told
  Bytes workspace{};
};

/// A product that can be launched: its shape, its algorithm, and its places in the operands. It must not outlive the
/// load() that it was prepared under.
class PreparedGemm {
 public:
  virtual ~PreparedGemm() = default;
  [[nodiscard]] virtual const GemmShape& shape() const = 0;
  [[nodiscard]] virtual const std::string& algorithm() const = 0;
  /// Sets of buffers that the calls rotate over.
  [[nodiscard]] virtual int places() const = 0;
};

/// One batch of back-to-back products.
struct BatchReading {
  Seconds per_call{};
  std::optional<double> clock_mhz;  ///< counted on the device while it ran: cycles over time
};

/// What sampled dot products say of a result.
struct GemmVerification {
  std::uint64_t checked{};
  std::uint64_t wrong{};
  double worst{};           ///< largest error, as a fraction of what rounding may cause; above 1 is wrong
  std::string first_wrong;  ///< "row 17, column 4: got 0, expected 81.2, allowed 0.7"; empty when none is
};

/// A matrix engine: one chip, through one library. Used by one thread.
///
/// The order is load(), then prepare() for each shape and algorithm, then start() and finish().
class MatrixEngine {
 public:
  virtual ~MatrixEngine() = default;
  [[nodiscard]] virtual const EngineInfo& info() const = 0;
  /// What one process may take now, less a reserve.
  [[nodiscard]] virtual Bytes free_memory() const = 0;

  /// Why this chip or library can't multiply this kind; empty when it can.
  [[nodiscard]] virtual std::string refusal(const GemmKind& kind) const = 0;
  /// The rule, in words, that this shape breaks; empty when it keeps them all.
  [[nodiscard]] virtual std::string refusal(const GemmKind& kind, const GemmShape& shape) const = 0;
  /// Memory that a product needs, with the places that its inputs rotate over and its workspace. Saturates.
  [[nodiscard]] virtual Bytes memory_for(const GemmKind& kind, const GemmShape& shape) const = 0;

  /// Makes operands for every shape whose memory_for() is at most `room`, and fills them: the same seed gives the same
  /// values. Frees those of an earlier load. Throws Error when the memory can't be had.
  virtual void load(const GemmKind& kind, GemmData data, std::uint64_t seed, Bytes room) = 0;

  /// The library's algorithms for this shape, its own first choice first; at most `most`, without duplicates. Empty
  /// when the library knows none.
  virtual std::vector<GemmAlgorithm> algorithms(const GemmShape& shape, int most) = 0;
  /// Throws Error with the library's own words when the product can't be run so.
  virtual std::unique_ptr<PreparedGemm> prepare(const GemmShape& shape, const GemmAlgorithm& algorithm) = 0;

  /// Queues `calls` products, back to back, between two marks of the device's own time. Returns at once where the
  /// device works by itself. At most `batches_in_flight` batches may be started and not finished.
  virtual void start(PreparedGemm& gemm, int calls) = 0;
  static constexpr int batches_in_flight = 8;
  /// Waits for the oldest started batch. Throws Error on a device failure.
  virtual BatchReading finish() = 0;

  /// The method of the book's script, version 2, for comparison: each call has the cache flushed (256 MiB written) and
  /// D rewritten before it, outside of its time. Seconds of each call.
  virtual std::vector<double> run_flushed(PreparedGemm& gemm, int calls) = 0;

  /// Poisons D, runs one product, and compares `samples` elements (corners among them) with dot products in higher
  /// precision.
  virtual GemmVerification verify(PreparedGemm& gemm, int samples, std::uint64_t seed) = 0;

  /// The chip's sensors; null where there are none. Belongs to the engine. May be read from another thread.
  virtual Telemetry* telemetry() = 0;
};

}  // namespace shakedown
