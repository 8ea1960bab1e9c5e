// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "checks.h"
#include "comparison_run.h"
#include "devices.h"
#include "kind_choice.h"
#include "messages.h"
#include "shakedown/base/error.h"
#include "support/steady_chip.h"

namespace shakedown {
namespace {

SteadyScript chip_of(double rate) {
  SteadyScript script;
  script.rate = rate;
  return script;
}

SteadyScript broken_chip(const std::string& how) {
  SteadyScript script;
  script.broken = how;
  return script;
}

SteadyScript chip_without_float64() {
  SteadyScript script;
  script.kind_refusal = "this chip has no float64";
  return script;
}

/// A process that sees these chips.
struct Node {
  explicit Node(std::vector<SteadyScript> scripts)
      : chips(std::make_shared<SteadyChips>(std::move(scripts), clock)),
        modules({.gpu =
                     [this] {
                       return Loaded<MatrixModule>{chips, ""};
                     },
                 .cpu =
                     [] {
                       return Loaded<MatrixModule>{nullptr, "not in this test"};
                     },
                 .cpu_float64 =
                     [] {
                       return Loaded<MatrixModule>{nullptr, "not in this test"};
                     }},
                "auto") {
    report.protocol.modes = {GemmMode::burst, GemmMode::sustained};
    report.protocol.least_samples = 6;
    report.protocol.burst_calls = 5;
    report.protocol.soak = report.protocol.sustained_time = Seconds{0.5};
    report.protocol.algorithms = 4;
  }

  void compare() {
    std::vector<std::unique_ptr<DeviceThread>> threads;
    threads.reserve(static_cast<std::size_t>(modules.device_count()));
    for (int i = 0; i < modules.device_count(); ++i) threads.push_back(std::make_unique<DeviceThread>(modules, i));
    compare_devices({.report = report, .tools = tools, .progress = silent}, threads);
  }

  SharedClock clock;
  std::shared_ptr<SteadyChips> chips;
  MatrixModules modules;
  StageBoard board{Seconds{0}};
  SilentProgress silent;
  GemmTools tools{.clock = clock,
                  .sleep = [this](Seconds time) { clock.pass(time); },
                  .board = board,
                  .progress = silent,
                  .on_change = [] {}};
  GemmReport report;
};

/// What device 0 found.
BestGemm best_of_first() {
  BestGemm best;
  best.device = DeviceInfo{0, "Steady chip", "GPU-0", "0000:00:00.0", Bytes{}};
  GemmResult result;
  result.device = best.device;
  result.shape = {256, 256, 256};
  result.mode = GemmMode::sustained;
  result.algorithm = "the only one";
  result.rate.median = 100;
  best.sustained = result;
  return best;
}

TEST(MamfDevices, TheWeakChipIsNamedAloneAndTogether) {
  Node node({chip_of(100), chip_of(101), chip_of(80), chip_of(100)});
  node.report.best.push_back(best_of_first());
  node.compare();
  ASSERT_EQ(node.report.spreads.size(), 2u);
  EXPECT_FALSE(node.report.spreads[0].together);
  EXPECT_TRUE(node.report.spreads[1].together);
  for (const DeviceSpread& spread : node.report.spreads) {
    ASSERT_EQ(spread.devices.size(), 4u);
    EXPECT_NEAR(spread.min, 80, 0.1);
    EXPECT_NEAR(spread.max, 101, 0.1);
    for (const DeviceReading& reading : spread.devices)
      EXPECT_EQ(reading.outlier, reading.device.uuid == "GPU-2") << reading.device.uuid;
  }
  EXPECT_EQ(node.report.best.size(), 4u) << "an entry for each device";
}

TEST(MamfDevices, ABrokenChipDoesNotHideTheOthers) {
  Node node({chip_of(100), broken_chip("allocate operands: out of memory"), chip_of(100)});
  node.report.best.push_back(best_of_first());
  node.compare();
  for (const DeviceSpread& spread : node.report.spreads) EXPECT_EQ(spread.devices.size(), 2u);
  ASSERT_FALSE(node.report.results.empty());
  EXPECT_EQ(node.report.results.front().status, RowStatus::failed);
  EXPECT_EQ(node.report.results.front().device->uuid, "GPU-1");
  EXPECT_NE(node.report.results.front().reason.find("out of memory"), std::string::npos);
  const Verdict verdict = judge(checks_of(node.report, Options{}));
  EXPECT_EQ(verdict.status, CheckStatus::fail);
  EXPECT_NE(fmt::format("{}", fmt::join(verdict.reasons, "; ")).find("GPU-1"), std::string::npos);
}

TEST(MamfDevices, AnEngineIsOpenedOncePerDevice) {
  Node node({chip_of(100), chip_of(100)});
  node.report.best.push_back(best_of_first());
  node.compare();
  EXPECT_EQ(node.chips->opened, 2);
}

std::vector<bool> outliers_of(const std::vector<double>& rates) {
  std::vector<DeviceReading> readings(rates.size());
  for (std::size_t i = 0; i < rates.size(); ++i) readings[i].rate = rates[i];
  std::vector<bool> marked;
  for (const DeviceReading& reading : spread_of({}, true, readings).devices) marked.push_back(reading.outlier);
  return marked;
}

TEST(MamfDevices, WhoIsAnOutlier) {
  EXPECT_EQ(outliers_of({100, 96, 101}), (std::vector{false, false, false})) << "within 5 % of the median";
  EXPECT_EQ(outliers_of({100, 94, 101}), (std::vector{false, true, false}));
  EXPECT_EQ(outliers_of({100, 100.2, 99.9, 97, 100.1}), (std::vector{false, false, false, true, false}))
      << "unusual among enough devices";
  EXPECT_EQ(outliers_of({100, 100, 100, 99.5, 100}), (std::vector{false, false, false, false, false}))
      << "less than 1 % is no news";
  EXPECT_EQ(outliers_of({100, 100, 100, 120, 100}), (std::vector{false, false, false, false, false}))
      << "faster is no fault";
  EXPECT_EQ(outliers_of({100}), (std::vector{false}));
  EXPECT_TRUE(outliers_of({}).empty());
}

TEST(MamfDevices, ADeviceThatIsNotThereIsRefusedWithThoseThatAre) {
  EXPECT_EQ(choose_devices({}, true, 8, std::nullopt), (std::vector{0}));
  EXPECT_EQ(choose_devices({.all = true, .indices = {}}, true, 3, std::nullopt), (std::vector{0, 1, 2}));
  EXPECT_EQ(choose_devices({.all = false, .indices = {2, 0}}, true, 3, std::nullopt), (std::vector{2, 0}));
  try {
    choose_devices({.all = false, .indices = {3}}, true, 3, std::nullopt);
    FAIL() << "accepted";
  } catch (const Unavailable& error) {
    EXPECT_NE(std::string(error.what()).find("3 is not there: 3 visible GPUs, 0 to 2"), std::string::npos)
        << error.what();
  }
  EXPECT_THROW(choose_devices({.all = false, .indices = {1}}, false, 1, std::nullopt), Unavailable);
}

TEST(MamfDevices, ARankHoldsTheDeviceOfItsLocalRankOrTheOnlyOneItSees) {
  EXPECT_EQ(choose_devices({}, true, 8, 5), (std::vector{5}));
  EXPECT_EQ(choose_devices({}, true, 1, 5), (std::vector{0}));
  EXPECT_EQ(choose_devices({}, true, 2, 3), (std::vector{1})) << "shared";
  EXPECT_THROW(choose_devices({.all = true, .indices = {}}, true, 8, 0), UsageError);
}

KindChoice choose(Node& node, const std::vector<std::string>& arguments) {
  const Options options = std::get<Options>(parse_options(arguments, "1"));
  EngineSeat seat(node.modules, 0);
  return choose_kinds(options, seat, node.modules.gpu());
}

TEST(MamfKindChoice, WhatTheDeviceLacksIsARowOrTheEnd) {
  Node node({chip_without_float64()});
  const KindChoice some = choose(node, {"--dtype", "bf16,fp64"});
  EXPECT_EQ(some.kinds.size(), 1u);
  ASSERT_EQ(some.refused.size(), 1u);
  EXPECT_EQ(some.refused[0].second, "this chip has no float64");
  try {
    choose(node, {"--dtype", "fp64"});
    FAIL() << "accepted";
  } catch (const Unavailable& error) {
    EXPECT_NE(std::string(error.what()).find("this chip has no float64"), std::string::npos);
  }
  for (const GemmKind& kind : choose(node, {"--dtype", "all"}).kinds) EXPECT_NE(kind.type, GemmType::float64);
  EXPECT_EQ(choose(node, {}).kinds.front().type, GemmType::bfloat16);
}

TEST(MamfBackend, AutoTakesTheCpuWhereThereIsNoGpuAndSaysWhy) {
  SharedClock clock;
  const auto none = std::make_shared<SteadyChips>(std::vector<SteadyScript>{}, clock);
  const auto one = std::make_shared<SteadyChips>(std::vector<SteadyScript>{{}}, clock);
  const MatrixLoaders loaders{.gpu =
                                  [&] {
                                    return Loaded<MatrixModule>{none, ""};
                                  },
                              .cpu =
                                  [&] {
                                    return Loaded<MatrixModule>{one, ""};
                                  },
                              .cpu_float64 =
                                  [] {
                                    return Loaded<MatrixModule>{nullptr, "no BLAS module"};
                                  }};
  MatrixModules modules(loaders, "auto");
  EXPECT_FALSE(modules.gpu());
  EXPECT_EQ(modules.reason(), "no steady chip");
  EXPECT_THROW(MatrixModules(loaders, "cuda"), Unavailable);
  EngineSeat seat(modules, 0);
  EXPECT_EQ(seat.refusal({}), "");
  EXPECT_NE(seat.refusal({GemmType::float64, Accumulation::standard, GemmLayout::tn}).find("no BLAS module"),
            std::string::npos);
}

TEST(MamfMessages, TargetsAndResultsSurviveTheWay) {
  const std::vector<CompareTarget> targets{
      {{GemmType::float8_e5m2, Accumulation::fast, GemmLayout::nt}, GemmMode::mamf_v2, {1, 1ull << 40, 3}, "a b\x1f c"},
      {{}, GemmMode::burst, {4, 5, 6}, ""}};
  const auto back = unpack_targets(pack(targets));
  ASSERT_EQ(back.size(), 2u);
  EXPECT_EQ(back[0].kind, targets[0].kind);
  EXPECT_EQ(back[0].mode, GemmMode::mamf_v2);
  EXPECT_EQ(back[0].shape, targets[0].shape);
  EXPECT_EQ(back[0].algorithm, "a b? c") << "a separator inside splits nothing";
  EXPECT_EQ(back[1].shape, targets[1].shape);
  GemmResult result;
  result.host = "node-b";
  result.rate.median = 812.345678901234;
  result.power_w = 700;
  result.device = DeviceInfo{3, "NVIDIA H200", "GPU-x", "0000:1b:00.0", Bytes{1ull << 37}};
  result.verified = false;
  const RemoteResult remote = unpack_result(pack(result, "NVIDIA H200"));
  EXPECT_EQ(remote.result.verified, false) << "a wrong product on another rank fails the run";
  EXPECT_EQ(remote.result.rate.median, result.rate.median);
  EXPECT_EQ(remote.result.power_w, 700);
  EXPECT_FALSE(remote.result.clock_mhz);
  EXPECT_EQ(remote.result.device->pci, "0000:1b:00.0");
  EXPECT_EQ(remote.result.device->memory, (Bytes{1ull << 37}));
  EXPECT_EQ(reading_of(unpack_result(pack(GemmResult{}, "some CPU")).result, 5, "some CPU").device.index, 5);
}

}  // namespace
}  // namespace shakedown
