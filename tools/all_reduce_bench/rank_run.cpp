// SPDX-License-Identifier: Apache-2.0
#include "rank_run.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>

#include "facts.h"
#include "joining.h"
#include "plan.h"
#include "report_snapshot.h"
#include "shakedown/app/environment.h"
#include "shakedown/bench/collective_sweep.h"
#include "shakedown/comm/agreement.h"
#include "shakedown/hw/host.h"
#include "shakedown/report/render.h"

namespace shakedown {
namespace {

/// NCCL 2.30.3, where several ranks on one GPU must be asked for.
constexpr const char* multi_rank_variable = "NCCL_MULTI_RANK_GPU_ENABLE";

/// One rank's run, step by step. Members are in the order in which they must live: later ones die first.
class RankRun {
 public:
  RankRun(RankStart start, LocalGpus gpus, ProcessState& state)
      : start_(std::move(start)),
        options_(start_.options),
        gpus_(std::move(gpus)),
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
  void open_session() {
    if (!start_.use_mpi) {
      session_ = make_single_session();
      return;
    }
    Loaded<MpiModule> loaded = load_mpi_module();
    if (!loaded.module) throw Unavailable(fmt::format("join the ranks: {}", loaded.reason));
    mpi_ = std::move(loaded.module);
    session_ = mpi_->open_session(state_.board);
  }

  [[nodiscard]] std::string who() const {
    return session_->size() == 1 ? std::string() : fmt::format("rank {} on {}", session_->rank(), host_);
  }

  ExitCode measure() {
    state_.board.enter(Stage::gather_facts);
    check_joined(*session_, start_.launch);
    take_options_of_rank_0();
    settle_backend();
    open_device();
    describe_surroundings();
    plan();
    make_communicator();
    state_.owned_writer = std::make_unique<ResultWriter>(std::move(start_.targets));
    state_.writer = state_.owned_writer.get();
    publish(*state_.writer);
    sweep(*state_.writer);
    return finish(*state_.writer);
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
    if (own_options_differ_) gpus_ = look_for_gpus(options_.backend);
    agree(*session_, who(), [&] { backend_ = choose_backend(options_.backend, gpus_); });
    check_same_backend(*session_, backend_.gpu, backend_.reason);
  }

  void open_device() {
    state_.board.enter(Stage::open_device);
    if (!backend_.gpu) {
      device_ = make_cpu_device(session_->local_size(), &state_.board);
      return;
    }
    agree(*session_, "", [&] {
      if (gpus_.count == 1 || options_.share_gpu || session_->local_size() <= gpus_.count) return;
      throw UsageError(
          fmt::format("{}: {} ranks, {} visible GPUs; start fewer ranks there, or give --share-gpu when several ranks "
                      "on one GPU are meant",
                      host_, session_->local_size(), gpus_.count));
    });
    if (options_.share_gpu) share_gpu();
    // A rank that sees one GPU (Slurm bound it) takes that one, whatever its local rank.
    const int index = gpus_.count == 1 ? 0 : session_->local_rank() % gpus_.count;
    agree(*session_, who(), [&] { device_ = gpus_.module->open_device(index); });
  }

  /// NCCL takes ranks of one host id on one GPU for a mistake. No thread of ours reads the environment at this point.
  void share_gpu() {
    setenv("NCCL_HOSTID", fmt::format("{}-{}", host_, session_->rank()).c_str(), 0);
    setenv(multi_rank_variable, "1", 0);
  }

  void describe_surroundings() {
    RankFacts mine{.info = {.rank = session_->rank(),
                            .local_rank = session_->local_rank(),
                            .host = host_,
                            .pid = getpid(),
                            .device = std::nullopt},
                   .boot_id = boot_id(),
                   .versions = {},
                   .environment = reportable_environment(environ)};
    if (backend_.gpu) {
      mine.info.device = device_->info();
      mine.versions = gpus_.module->versions();
    } else
      mine.versions = {{"cpu", device_->info().name}};
    if (mpi_)
      for (auto& version : mpi_->versions()) mine.versions.push_back(version);
    const std::vector<RankFacts> ranks = gather_facts(*session_, mine);
    if (backend_.gpu && !options_.share_gpu) agree(*session_, "", [&] { refuse_shared_gpus(ranks); });
    report_.context = {.backend = backend_.gpu ? "cuda" : "cpu",
                       .backend_reason = backend_.reason,
                       .ranks = {},
                       .versions = ranks.front().versions,
                       .environment = ranks.front().environment,
                       .notices = find_differences(ranks)};
    for (const RankFacts& rank : ranks) report_.context.ranks.push_back(rank.info);
    const bool any_differs = session_->any(own_options_differ_);
    if (any_differs)
      report_.context.notices.emplace_back("ranks were started with different options; those of rank 0 count");
  }

  void plan() {
    // Ranks on one GPU share its memory.
    const auto& ranks = report_.context.ranks;
    const auto sharers = std::count_if(ranks.begin(), ranks.end(), [&](const RankInfo& rank) {
      return backend_.gpu && rank.device && rank.device->uuid == device_->info().uuid;
    });
    const std::array<double, 1> mine{-static_cast<double>(device_->free_memory().count) /
                                     static_cast<double>(std::max<std::ptrdiff_t>(sharers, 1))};
    const auto least = static_cast<std::uint64_t>(-session_->max(mine)[0]);
    const Setting setting{.on_gpu = backend_.gpu,
                          .ranks = session_->size(),
                          .free_memory = Bytes{least},
                          .memory_name = backend_.gpu ? "GPU memory" : "host memory",
                          .cache = device_->cache_to_leave()};
    agree(*session_, "", [&] { report_.protocol = plan_protocol(options_, setting); });
    report_.profile = options_.profile_stability;
    report_.header = {.tool = "all_reduce_bench",
                      .tool_version = start_.version,
                      .complete = false,
                      .started_at = started_at_,
                      .duration = {},
                      .command = {start_.program},
                      .notes = options_.notes};
    report_.header.command.insert(report_.header.command.end(), start_.arguments.begin(), start_.arguments.end());
  }

  void make_communicator() {
    state_.board.enter(Stage::communicator);
    if (backend_.gpu)
      communicator_ = gpus_.module->make_communicator(*session_, *device_, state_.board);
    else
      communicator_ = mpi_ ? mpi_->make_communicator(*session_) : make_single_communicator();
    agree(*session_, "", [&] {
      if (communicator_->supports(options_.dtype)) return;
      std::string offered;
      for (const DataType type : all_data_types())
        if (communicator_->supports(type)) offered += fmt::format("{}{}", offered.empty() ? "" : ", ", name_of(type));
      throw UsageError(fmt::format("--dtype: {} is known, but this backend ({}) can't add it; it can: {}",
                                   name_of(options_.dtype), report_.context.backend, offered));
    });
  }

  void publish(ResultWriter& writer) const {
    if (session_->rank() != 0) return;
    writer.publish(std::make_shared<ReportSnapshot<CollectiveReport, Options>>(
                       report_, options_, TextStyle{.color = start_.out.color, .columns = start_.out.columns}),
                   state_.elapsed());
  }

  void sweep(ResultWriter& writer) {
    const auto progress = make_progress(start_.err, options_.quiet || session_->rank() != 0);
    run_collective_sweep({.session = *session_,
                          .device = *device_,
                          .communicator = *communicator_,
                          .board = state_.board,
                          .progress = *progress,
                          .before_call = {}},
                         report_, [&](const CollectiveReport&) { publish(writer); });
  }

  /// All ranks leave together first: the last words may wait for a slow reader, and nobody waits for them then.
  ExitCode finish(ResultWriter& writer) {
    const Verdict verdict = judge(checks_of(report_, options_));
    communicator_->close();
    session_->close();
    state_.board.enter(Stage::done);
    state_.board.set_limit(Seconds{0});
    if (session_->rank() != 0) return ExitCode::ok;  // the launcher takes the first status that is not 0
    constexpr Seconds for_a_reader{3600};
    if (!writer.finish({.complete = true, .reason = "", .duration = state_.elapsed()}, for_a_reader)) {
      tell(writer.error().c_str());
      return ExitCode::failed;
    }
    return verdict.status == CheckStatus::fail ? ExitCode::check_failed : ExitCode::ok;
  }

  void tell(const char* what) const { fmt::print(stderr, "all_reduce_bench: {}\n", what); }

  void write_what_there_is(const char* reason) {
    if (ResultWriter* writer = state_.writer)
      writer->finish({.complete = false, .reason = reason, .duration = state_.elapsed()});
  }

  ExitCode leave_together(const AgreedError& error) {
    write_what_there_is(error.what());
    if (session_->rank() == 0) tell(error.what());
    communicator_.reset();
    session_->close();
    if (error.exit_code() == ExitCode::deadline)
      std::_Exit(static_cast<int>(error.exit_code()));  // a thread sits in NCCL still
    return session_->rank() == 0 ? error.exit_code() : ExitCode::ok;
  }

  ExitCode leave_alone(const char* what, ExitCode code) {
    const std::string text = session_->size() == 1 ? what : fmt::format("{}: {}", who(), what);
    tell(text.c_str());
    write_what_there_is(text.c_str());
    session_->abort(code);
    return code;
  }

  RankStart start_;
  Options options_;
  LocalGpus gpus_;
  ProcessState& state_;
  const std::string started_at_;
  const std::string host_;
  std::shared_ptr<MpiModule> mpi_;
  std::unique_ptr<Session> session_;
  BackendChoice backend_;
  std::unique_ptr<Device> device_;
  std::unique_ptr<Communicator> communicator_;
  CollectiveReport report_;
  bool own_options_differ_{false};
};

}  // namespace

ExitCode run_rank(RankStart start, LocalGpus gpus, ProcessState& state) {
  return RankRun(std::move(start), std::move(gpus), state).run();
}

}  // namespace shakedown
