// SPDX-License-Identifier: Apache-2.0
#include "run.h"

#include <fmt/format.h>

#include <thread>

#include "checks.h"
#include "comparison_run.h"
#include "device_thread.h"
#include "devices.h"
#include "joining.h"
#include "kind_choice.h"
#include "measure.h"
#include "publisher.h"
#include "shakedown/app/environment.h"
#include "shakedown/comm/agreement.h"
#include "shakedown/hw/host.h"
#include "surroundings.h"

namespace shakedown {
namespace {

constexpr const char* tool = "mamf_finder";

/// One process's run, step by step. Members are in the order in which they must live: later ones die first.
class MamfRun {
 public:
  MamfRun(RunStart start, std::unique_ptr<MatrixModules> modules, ProcessState& state)
      : start_(std::move(start)),
        options_(start_.options),
        modules_(std::move(modules)),
        state_(state),
        started_at_(utc_now()),
        host_(host_name()) {}

  ExitCode run() {
    open_session();
    try {
      return measure();
    } catch (const AgreedError& error) {
      return leave_together(error);
    } catch (const std::exception& error) {
      const auto* known = dynamic_cast<const Error*>(&error);
      return leave_alone(error.what(), known != nullptr ? known->exit_code() : ExitCode::failed);
    }
  }

 private:
  [[nodiscard]] bool launched() const { return start_.launch.launcher != Launcher::none; }
  [[nodiscard]] bool speaks() const { return session_->rank() == 0; }
  [[nodiscard]] std::string who() const {
    return session_->size() == 1 ? std::string() : fmt::format("rank {} on {}", session_->rank(), host_);
  }

  /// "the CPU", "GPU 0", "8 GPUs", "the GPUs of 16 ranks".
  [[nodiscard]] std::string name_place() const {
    const char* what = modules_->gpu() ? "GPUs" : "CPUs";
    if (session_->size() > 1) return fmt::format("the {} of {} ranks", what, session_->size());
    if (!modules_->gpu()) return "the CPU";
    if (infos_.size() > 1) return fmt::format("{} GPUs", infos_.size());
    return fmt::format("GPU {}", infos_.front().device ? infos_.front().device->index : 0);
  }

  void open_session() {
    if (!launched()) {
      session_ = make_single_session();
      return;
    }
    Loaded<MpiModule> loaded = load_mpi_module();
    if (!loaded.module) throw Unavailable(fmt::format("join the ranks: {}", loaded.reason));
    mpi_ = std::move(loaded.module);
    session_ = mpi_->open_session(state_.board);
  }

  ExitCode measure() {
    state_.board.enter(Stage::gather_facts);
    check_joined(*session_, start_.launch);
    take_options_of_rank_0();
    settle_backend();
    open_devices();
    describe_surroundings();
    make_report();
    state_.owned_writer = std::make_unique<ResultWriter>(std::move(start_.targets));
    state_.writer = state_.owned_writer.get();
    progress_ = make_progress(start_.err, options_.quiet || !speaks());
    publisher_ = std::make_unique<Publisher>(*state_.writer, report_, options_,
                                             TextStyle{.color = start_.out.color, .columns = start_.out.columns},
                                             state_, speaks());
    publisher_->publish();
    search();
    compare();
    return finish();
  }

  void take_options_of_rank_0() {
    const std::vector<std::string> arguments = arguments_of_rank_0(*session_, start_.arguments);
    if (arguments == start_.arguments) return;
    options_ = std::get<Options>(parse_options(arguments, start_.version));
    state_.board.set_limit(options_.timeout);
    own_options_differ_ = true;
  }

  /// All ranks use GPUs, or none does.
  void settle_backend() {
    // On every rank: agreeing is a collective.
    agree(*session_, who(), [&] {
      if (own_options_differ_) modules_ = std::make_unique<MatrixModules>(installed_loaders(), options_.backend);
    });
    check_same_backend(*session_, modules_->gpu(), modules_->reason());
  }

  void open_devices() {
    state_.board.enter(Stage::open_device);
    agree(*session_, who(), [&] {
      const auto local_rank = launched() ? std::optional(session_->local_rank()) : std::nullopt;
      for (const int index : choose_devices(options_.devices, modules_->gpu(), modules_->device_count(), local_rank))
        threads_.push_back(std::make_unique<DeviceThread>(*modules_, index));
      threads_.front()->run([&](EngineSeat& seat) { kinds_ = choose_kinds(options_, seat, modules_->gpu()); });
      for (const auto& thread : threads_)
        thread->run([&](EngineSeat& seat) {
          infos_.push_back(seat.engine(kinds_.kinds.front().type).info());
          state_.board.beat();
        });
    });
    if (!speaks() || options_.quiet) return;
    fmt::print(stderr, "{}: measuring {} on {}, {} ({})\n", tool, describe(kinds_.kinds), name_place(),
               infos_.front().chip, modules_->reason());
    if (!kinds_.remark.empty()) fmt::print(stderr, "{}: {}\n", tool, kinds_.remark);
  }

  void describe_surroundings() {
    NamedValues versions = modules_->versions();
    if (mpi_)
      for (auto& version : mpi_->versions()) versions.push_back(version);
    report_.context = gather_context(*session_, infos_, std::move(versions));
    report_.context.backend = modules_->gpu() ? "cuda" : "cpu";
    report_.context.backend_reason = modules_->reason();
    auto& notices = report_.context.notices;
    if (!kinds_.remark.empty()) notices.push_back(kinds_.remark);
    if (session_->any(own_options_differ_))
      notices.emplace_back("ranks were started with different options; those of rank 0 count");
    if (options_.resume && speaks())
      notices.push_back(
          fmt::format("{} results of {} could be taken over", start_.asked.earlier.size(), *options_.resume));
  }

  void make_report() {
    report_.protocol = plan_protocol(options_, modules_->gpu(), kinds_.kinds, start_.asked);
    report_.header = {.tool = tool,
                      .tool_version = start_.version,
                      .complete = false,
                      .started_at = started_at_,
                      .duration = {},
                      .command = {start_.program},
                      .notes = options_.notes};
    report_.header.command.insert(report_.header.command.end(), start_.arguments.begin(), start_.arguments.end());
    for (const auto& [kind, why] : kinds_.refused) {
      GemmResult row;
      row.kind = kind;
      row.mode = options_.modes.front();
      row.device = infos_.front().device;
      row.host = host_;
      row.status = RowStatus::skipped;
      row.reason = why;
      report_.results.push_back(row);
    }
  }

  [[nodiscard]] GemmTools tools(Progress& progress, std::function<void()> on_change) {
    return {.clock = state_.clock,
            .sleep = [](Seconds time) { std::this_thread::sleep_for(time); },
            .board = state_.board,
            .progress = progress,
            .on_change = std::move(on_change)};
  }

  /// Rank 0 looks for the best; the others have nothing to do, and rank 0's own watchdog sees to it that this ends.
  void search() {
    if (!speaks()) state_.board.set_limit(Seconds{0});
    agree(*session_, who(), [&] {
      if (!speaks()) return;
      const GemmTools own = tools(*progress_, [this] { publisher_->publish_now_and_then(); });
      state_.board.enter(Stage::timed_loop);
      for (const GemmKind& kind : kinds_.kinds)
        threads_.front()->run([&](EngineSeat& seat) { measure_kind(seat, kind, start_.asked, report_, own); });
      progress_->clear();
      publisher_->publish();
    });
    if (!speaks()) state_.board.set_limit(options_.timeout);
  }

  void compare() {
    const GemmTools silent = tools(nobody_, [] {});
    const ComparisonRun comparison{.report = report_, .tools = silent, .progress = *progress_};
    if (session_->size() > 1)
      compare_ranks(comparison, *session_, *threads_.front(), infos_.front().chip);
    else if (threads_.size() > 1)
      compare_devices(comparison, threads_);
    progress_->clear();
    publisher_->publish();
  }

  /// All ranks leave together first: the last words may wait for a slow reader, and nobody waits for them then.
  ExitCode finish() {
    threads_.clear();
    const Verdict verdict = judge(checks_of(report_, options_));
    session_->close();
    state_.board.enter(Stage::done);
    state_.board.set_limit(Seconds{0});
    if (state_.writer == nullptr || !state_.speaker) return ExitCode::ok;
    constexpr Seconds for_a_reader{3600};
    if (!state_.owned_writer->finish({.complete = true, .reason = "", .duration = state_.elapsed()}, for_a_reader)) {
      tell(state_.owned_writer->error());
      return ExitCode::failed;
    }
    return verdict.status == CheckStatus::fail ? ExitCode::check_failed : ExitCode::ok;
  }

  void tell(const std::string& what) const {
    if (progress_) progress_->clear();
    fmt::print(stderr, "{}: {}\n", tool, what);
  }

  void write_what_there_is(const std::string& reason) {
    if (ResultWriter* writer = state_.writer)
      writer->finish({.complete = false, .reason = reason, .duration = state_.elapsed()});
  }

  ExitCode leave_together(const AgreedError& error) {
    if (speaks()) tell(error.what());
    write_what_there_is(error.what());
    const bool speaker = speaks();
    threads_.clear();
    session_->close();
    return speaker ? error.exit_code() : ExitCode::ok;
  }

  ExitCode leave_alone(const std::string& what, ExitCode code) {
    const std::string text = session_->size() == 1 ? what : fmt::format("{}: {}", who(), what);
    tell(text);
    write_what_there_is(text);
    session_->abort(code);
    return code;
  }

  RunStart start_;
  Options options_;
  std::unique_ptr<MatrixModules> modules_;
  ProcessState& state_;
  const std::string started_at_;
  const std::string host_;
  std::shared_ptr<MpiModule> mpi_;
  std::unique_ptr<Session> session_;
  GemmReport report_;
  std::unique_ptr<Progress> progress_;
  SilentProgress nobody_;
  std::unique_ptr<Publisher> publisher_;
  KindChoice kinds_;
  std::vector<EngineInfo> infos_;                       ///< one a device of this process
  std::vector<std::unique_ptr<DeviceThread>> threads_;  ///< one a device of this process
  bool own_options_differ_{false};
};

}  // namespace

ExitCode run_mamf(RunStart start, std::unique_ptr<MatrixModules> modules, ProcessState& state) {
  return MamfRun(std::move(start), std::move(modules), state).run();
}

}  // namespace shakedown
