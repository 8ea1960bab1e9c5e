// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "shakedown/base/gemm_kind.h"
#include "shakedown/model/gemm_report.h"

namespace shakedown {

/// What identifies a GPU in the catalogue.
struct ChipFacts {
  std::string name;  ///< as the driver calls it
  int cc_major{}, cc_minor{};
  int units{};  ///< multiprocessors, as the device reports them
  std::optional<double> max_clock_mhz;
};

/// The dense peak of a GPU. Looked up by name, since GeForce and professional chips of one compute capability differ;
/// by compute capability (and said so) where the name is not known; empty values where neither is.
GemmPeak gpu_gemm_peak(const ChipFacts& chip, const GemmKind& kind);

/// What was found out about the host's processor.
struct CpuFacts {
  std::string name;  ///< "model name" of /proc/cpuinfo
  std::string vendor;
  int family{}, model{};
  bool avx2{}, avx_vnni{}, avx512{}, avx512_vnni{}, avx512_bf16{}, avx512_fp16{}, amx_bf16{}, amx_int8{}, amx_fp16{};
  bool neon{}, sve{}, arm_bf16{}, arm_i8mm{};
  int cores{};  ///< physical cores that this process may use
  std::optional<double> max_clock_mhz;
};
/// Parses /proc/cpuinfo's text; pure.
CpuFacts parse_cpu_facts(const std::string& cpuinfo);
/// Of this host, and of this process's affinity.
CpuFacts read_cpu_facts();

/// Our own estimate: operations a clock and core from the instruction set and the microarchitecture.
GemmPeak cpu_gemm_peak(const CpuFacts& cpu, const GemmKind& kind);

}  // namespace shakedown
