// SPDX-License-Identifier: Apache-2.0
#include "shakedown/app/watchdog.h"

#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <future>
#include <system_error>
#include <utility>

#include "shakedown/app/stream_out.h"
#include "shakedown/base/exit_code.h"
#include "sibling_watch.h"
#include "silence.h"

namespace shakedown {
namespace {

using std::chrono::milliseconds;
using SteadyTime = std::chrono::steady_clock::time_point;

constexpr milliseconds between_polls{100};
constexpr milliseconds longest_poll{1000};         // beyond what a busy host delays a thread by
constexpr milliseconds just_continued{3000};       // mpirun continues a stopped rank about a second before it ends it
constexpr milliseconds for_siblings_to_fire{150};  // more than one poll, so that all who wait with us wear the mark
constexpr milliseconds after_speaking{300};        // for mpirun to forward the text
constexpr milliseconds for_the_speaker{500};
constexpr milliseconds for_another_host{800};  // it may have fired a little later than we did
constexpr milliseconds first_look{500};
constexpr milliseconds slowest_look{8000};
constexpr Seconds patience_with_proc{2};
constexpr Seconds patience_in_signal{0.3};
constexpr std::chrono::seconds time_to_publish{2};

void wear(Stage stage, StageMark mark) {
  ::pthread_setname_np(::pthread_self(), stage_thread_name(code_of(stage), mark).c_str());
}

/// Calls `publish` in a thread of its own, since a disk may hang, too.
void publish_in_time(const std::function<void(const SilenceReport&)>& publish, const SilenceReport& report) {
  try {
    const auto done = std::make_shared<std::promise<void>>();
    std::future<void> finished = done->get_future();
    std::thread{[&publish, &report, done] {
      try {
        publish(report);
      } catch (...) {  // the process ends with a deadline in any case
      }
      done->set_value();
    }}.detach();
    finished.wait_for(time_to_publish);
  } catch (const std::system_error&) {  // no more threads: leaving comes first
  }
}

/// How often to look who is there, until everybody was seen: soon at first, then ever more rarely.
class LookSchedule {
 public:
  bool due(SteadyTime now) {
    if (now < next_) return false;
    next_ = now + interval_;
    interval_ = std::min(interval_ * 2, slowest_look);
    return true;
  }

 private:
  milliseconds interval_{first_look};
  SteadyTime next_{std::chrono::steady_clock::now() + first_look};
};

bool saw_everybody(const Whoami& whoami, const LocalView& view) {
  const auto ranks = judge_local_ranks(whoami, view);
  return !ranks.empty() && std::none_of(ranks.begin(), ranks.end(), [](const LocalRank& rank) {
    return rank.condition == Condition::never_started;
  });
}

}  // namespace

Watchdog::Watchdog(const StageBoard& board, Whoami whoami, std::function<void(const SilenceReport&)> on_deadline)
    : board_(board),
      whoami_(std::move(whoami)),
      on_deadline_(std::move(on_deadline)),
      siblings_(std::make_unique<SiblingWatch>(whoami_.job)),
      polled_at_(std::chrono::steady_clock::now()),
      thread_([this] { watch(); }) {}

Watchdog::~Watchdog() {
  {
    const std::lock_guard lock{mutex_};
    stop_ = true;
  }
  stopping_.notify_all();
  thread_.join();
}

SilenceReport Watchdog::look_around() const {
  const auto now = std::chrono::steady_clock::now();
  if (now - polled_at_.load() > longest_poll || now - continued_at_.load() < just_continued) return {};
  return describe_losses(whoami_, siblings_->look(patience_in_signal));
}

/// Waits; false when the owner ends the watch meanwhile.
bool Watchdog::pause(milliseconds time) {
  std::unique_lock lock{mutex_};
  return !stopping_.wait_for(lock, time, [this] { return stop_; });
}

void Watchdog::watch() {
  StageBoard::View last = board_.view();
  wear(last.stage, StageMark::waiting);
  auto silent_since = std::chrono::steady_clock::now();
  auto last_poll = silent_since;
  LookSchedule schedule;
  bool looking = !whoami_.job.empty() && whoami_.local_size > 1;
  while (pause(between_polls)) {
    const StageBoard::View view = board_.view();
    const auto now = std::chrono::steady_clock::now();
    if (view.stage != last.stage) wear(view.stage, StageMark::waiting);
    if (view.steps != last.steps) silent_since = now;
    // Time in which we were stopped ourselves is no silence of others; mpirun continues us before it ends us.
    if (now - last_poll > longest_poll) {
      silent_since = now;
      continued_at_ = now;
    }
    polled_at_ = last_poll = now;
    last = view;
    if (view.limit.count() > 0 && now - silent_since > view.limit) {
      fire(view);
      polled_at_ = silent_since = last_poll = std::chrono::steady_clock::now();
    } else if (looking && schedule.due(now)) {
      looking = !saw_everybody(whoami_, siblings_->look(Seconds{between_polls}));
      polled_at_ = last_poll = std::chrono::steady_clock::now();
    }
  }
}

/// Leaves the process, unless the measuring thread moves at the last moment.
void Watchdog::fire(const StageBoard::View& view) {
  wear(view.stage, StageMark::fired);
  if (!pause(for_siblings_to_fire)) return;
  if (board_.view().steps != view.steps) {
    wear(board_.view().stage, StageMark::waiting);
    return;
  }
  leave(view);
}

void Watchdog::leave(const StageBoard::View& view) {
  const auto start = std::chrono::steady_clock::now();
  const LocalView seen = siblings_->look(patience_with_proc);
  const SilenceReport report = describe_silence(whoami_, view, seen);
  const auto tell = [&](const LocalView& now, bool last_chance) {
    if (!is_speaker(whoami_, now, last_chance)) return false;
    wear(view.stage, StageMark::spoken);
    write_all(STDERR_FILENO, report.text, Seconds{1});
    return true;
  };
  const bool spoken = tell(seen, false);
  publish_in_time(on_deadline_, report);
  const bool wait_for_others = !report.names_culprit && whoami_.announced_size > whoami_.local_size;
  std::this_thread::sleep_until(start + (spoken            ? after_speaking
                                         : wait_for_others ? for_another_host
                                                           : for_the_speaker));
  if (!spoken) tell(siblings_->look(Seconds{between_polls}), true);
  ::_exit(static_cast<int>(ExitCode::deadline));
}

}  // namespace shakedown
