// SPDX-License-Identifier: Apache-2.0
#include "backends/host_matrix/cycle_meter.h"

#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace shakedown {
namespace {

constexpr double least_mhz = 300;
constexpr double most_mhz = 8000;

std::optional<double> if_plausible(double mhz) {
  if (!(mhz >= least_mhz && mhz <= most_mhz)) return std::nullopt;
  return mhz;
}

/// Cycles of this thread in user mode, which needs no privilege; -1 where the kernel, or a virtual machine, has none.
int open_counter() {
  perf_event_attr attributes{};
  attributes.size = sizeof attributes;
  attributes.type = PERF_TYPE_HARDWARE;
  attributes.config = PERF_COUNT_HW_CPU_CYCLES;
  attributes.exclude_kernel = 1;
  attributes.exclude_hv = 1;
  attributes.read_format = PERF_FORMAT_TOTAL_TIME_RUNNING;
  return static_cast<int>(::syscall(SYS_perf_event_open, &attributes, 0, -1, -1, PERF_FLAG_FD_CLOEXEC));
}

/// `thousands` x 1000 additions, each of which waits for the one before. Registers alone: some processors fold
/// additions of constants away.
#if defined(__x86_64__)
void add_in_a_chain(int thousands) {
  std::uint64_t sum = 0;
  std::uint64_t addend = 1;
  for (int i = 0; i < thousands; ++i)
    asm volatile(".rept 1000\n\tadd %1, %0\n\t.endr" : "+r"(sum) : "r"(addend) : "cc");
}
constexpr bool has_chain = true;
#elif defined(__aarch64__)
void add_in_a_chain(int thousands) {
  std::uint64_t sum = 0;
  std::uint64_t addend = 1;
  for (int i = 0; i < thousands; ++i) asm volatile(".rept 1000\n\tadd %0, %0, %1\n\t.endr" : "+r"(sum) : "r"(addend));
}
constexpr bool has_chain = true;
#else
void add_in_a_chain(int) {}
constexpr bool has_chain = false;
#endif

/// The fastest of a few short chains, some 0.2 ms in all: an interrupt can only make one longer.
std::optional<double> chain_mhz() {
  using Clock = std::chrono::steady_clock;
  constexpr int chains = 8;
  constexpr int thousands = 60;
  if (!has_chain) return std::nullopt;
  double best = 0;
  for (int i = 0; i < chains; ++i) {
    const auto start = Clock::now();
    add_in_a_chain(thousands);
    const double us = std::chrono::duration<double, std::micro>(Clock::now() - start).count();
    if (us > 0) best = std::max(best, thousands * 1000.0 / us);
  }
  return if_plausible(best);
}

}  // namespace

CycleMeter::CycleMeter() : counter_(open_counter()) {}

CycleMeter::~CycleMeter() {
  if (counter_ >= 0) ::close(counter_);
}

std::optional<CycleMeter::Reading> CycleMeter::read() const {
  Reading reading{};
  if (counter_ < 0 || ::read(counter_, &reading, sizeof reading) != sizeof reading) return std::nullopt;
  return reading;
}

void CycleMeter::start() { begin_ = read(); }

std::optional<double> CycleMeter::stop_mhz() {
  const auto end = read();
  if (begin_ && end && end->running_ns > begin_->running_ns) {
    const auto cycles = static_cast<double>(end->cycles - begin_->cycles);
    const auto mhz = if_plausible(cycles * 1e3 / static_cast<double>(end->running_ns - begin_->running_ns));
    if (mhz) return mhz;
  }
  return chain_mhz();
}

}  // namespace shakedown
