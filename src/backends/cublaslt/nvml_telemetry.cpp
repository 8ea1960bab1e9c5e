// SPDX-License-Identifier: Apache-2.0
#include "backends/cublaslt/nvml_telemetry.h"

#include <dlfcn.h>

#include <utility>

#include "backends/cublaslt/throttle_names.h"

namespace shakedown {
namespace {

// NVML's own numbers (nvml.h); the header is not part of the CUDA Toolkit everywhere, and its interface is stable.
using NvmlDevice = struct NvmlDeviceTag*;
constexpr int success = 0;
constexpr int clock_sm = 1;
constexpr int temperature_gpu = 0;
constexpr unsigned field_power_instant = 186;

/// nvmlFieldValue_t.
struct NvmlFieldValue {
  unsigned field, scope;
  long long timestamp, latency_us;
  int type, status;
  union {
    unsigned number;
    unsigned long long widest;
  } value;
};
static_assert(sizeof(NvmlFieldValue) == 40);

/// libnvidia-ml, opened at run time: it comes with the driver, and some containers have CUDA without it.
class Nvml {
 public:
  Nvml() : library_(dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL)) {
    if (library_ == nullptr) return;
    look_up(init_, "nvmlInit_v2");
    look_up(shutdown_, "nvmlShutdown");
    look_up(by_pci, "nvmlDeviceGetHandleByPciBusId_v2");
    look_up(clock, "nvmlDeviceGetClockInfo");
    look_up(max_clock, "nvmlDeviceGetMaxClockInfo");
    look_up(power, "nvmlDeviceGetPowerUsage");
    look_up(fields, "nvmlDeviceGetFieldValues");
    look_up(energy, "nvmlDeviceGetTotalEnergyConsumption");
    look_up(temperature, "nvmlDeviceGetTemperature");
    look_up(power_limit, "nvmlDeviceGetEnforcedPowerLimit");
    look_up(mig_mode, "nvmlDeviceGetMigMode");
    look_up(reasons, "nvmlDeviceGetCurrentClocksEventReasons");
    if (reasons == nullptr) look_up(reasons, "nvmlDeviceGetCurrentClocksThrottleReasons");  // its name before 12.3
    usable_ = init_ != nullptr && by_pci != nullptr && init_() == success;
  }
  Nvml(const Nvml&) = delete;
  Nvml& operator=(const Nvml&) = delete;
  ~Nvml() {
    if (usable_ && shutdown_ != nullptr) shutdown_();
    if (library_ != nullptr) dlclose(library_);
  }
  [[nodiscard]] bool usable() const { return usable_; }

  int (*by_pci)(const char*, NvmlDevice*){};
  int (*clock)(NvmlDevice, int, unsigned*){};
  int (*max_clock)(NvmlDevice, int, unsigned*){};
  int (*power)(NvmlDevice, unsigned*){};
  int (*fields)(NvmlDevice, int, NvmlFieldValue*){};
  int (*energy)(NvmlDevice, unsigned long long*){};
  int (*temperature)(NvmlDevice, int, unsigned*){};
  int (*power_limit)(NvmlDevice, unsigned*){};
  int (*mig_mode)(NvmlDevice, unsigned*, unsigned*){};
  int (*reasons)(NvmlDevice, unsigned long long*){};

 private:
  template <class Function>
  void look_up(Function& function, const char* name) {
    function = reinterpret_cast<Function>(dlsym(library_, name));
  }

  void* library_;
  int (*init_)(){};
  int (*shutdown_)(){};
  bool usable_{false};
};

class NvmlTelemetry final : public Telemetry {
 public:
  NvmlTelemetry(std::unique_ptr<Nvml> nvml, NvmlDevice device) : nvml_(std::move(nvml)), device_(device) {}

  TelemetryReading read() override {
    TelemetryReading reading;
    unsigned value = 0;
    if (nvml_->clock != nullptr && nvml_->clock(device_, clock_sm, &value) == success) reading.clock_mhz = value;
    reading.power_w = read_power();
    if (nvml_->temperature != nullptr && nvml_->temperature(device_, temperature_gpu, &value) == success)
      reading.temperature_c = value;
    unsigned long long wide = 0;
    if (nvml_->energy != nullptr && nvml_->energy(device_, &wide) == success)
      reading.energy_j = static_cast<double>(wide) / 1e3;
    if (nvml_->reasons != nullptr && nvml_->reasons(device_, &wide) == success) reading.throttle = throttle_names(wide);
    return reading;
  }

  [[nodiscard]] std::optional<double> power_limit_w() const override {
    unsigned milliwatts = 0;
    if (nvml_->power_limit == nullptr || nvml_->power_limit(device_, &milliwatts) != success) return std::nullopt;
    return milliwatts / 1e3;
  }

 private:
  /// At this moment where that is told, else (before driver 530) what nvmlDeviceGetPowerUsage says, which is the mean
  /// of a second on some GPUs.
  [[nodiscard]] std::optional<double> read_power() const {
    NvmlFieldValue instant{};
    instant.field = field_power_instant;
    if (nvml_->fields != nullptr && nvml_->fields(device_, 1, &instant) == success && instant.status == success &&
        instant.value.number > 0)
      return instant.value.number / 1e3;
    unsigned milliwatts = 0;
    if (nvml_->power == nullptr || nvml_->power(device_, &milliwatts) != success) return std::nullopt;
    return milliwatts / 1e3;
  }

  std::unique_ptr<Nvml> nvml_;
  NvmlDevice device_;
};

}  // namespace

std::unique_ptr<Telemetry> open_nvml_telemetry(const std::string& pci, NvmlFacts& facts) {
  auto nvml = std::make_unique<Nvml>();
  NvmlDevice device = nullptr;
  if (!nvml->usable() || nvml->by_pci(pci.c_str(), &device) != success) return nullptr;
  unsigned value = 0;
  if (nvml->max_clock != nullptr && nvml->max_clock(device, clock_sm, &value) == success && value > 0)
    facts.max_clock_mhz = value;
  unsigned pending = 0;
  if (nvml->mig_mode != nullptr && nvml->mig_mode(device, &value, &pending) == success) facts.mig = value == 1;
  return std::make_unique<NvmlTelemetry>(std::move(nvml), device);
}

}  // namespace shakedown
