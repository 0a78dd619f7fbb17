#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "harness/results/row.hpp"
#include "harness/run/screen.hpp"

namespace gridmark::harness {

/// How long a run will take: from what each of its experiments is said to take (study.json, `seconds`),
/// corrected by the pace that this machine shows; and from what comes before and after all of them, which
/// that pace does not change. Seconds; `elapsed` counts from the run's begin and never falls.
class Schedule {
  public:
    /// `seconds` of each experiment, in the order in which they run.
    explicit Schedule(std::vector<double> seconds, double before = 0, double after = 0)
        : seconds_(std::move(seconds)), before_(before), after_(after) {}

    /// The next experiment begins, of which a share between 0 and 1 was done by an earlier run.
    void begin(double elapsed, double done_before);
    /// This share of what was left of the present experiment is done; what is measured now ends at `next`.
    void reach(double elapsed, double share, double next);

    /// What everything takes as declared.
    double total() const { return before_ + experiments() + after_; }
    /// The declared pace counts as a twentieth of the experiments that has been seen already, so that the
    /// first rows do not swing the answer.
    double left(double elapsed) const;
    /// The share of the whole that is done, between 0 and 1. What is measured now counts as it goes on.
    double share(double elapsed) const;

  private:
    double experiments() const;
    double reached() const;
    double pace() const;
    double done(double elapsed) const;

    std::vector<double> seconds_;
    double before_, after_;
    std::size_t begun_ = 0;        ///< experiments
    double first_ = 0;             ///< when the first one began
    double at_ = 0;                ///< when the last word came
    double share_ = 0, next_ = 0;  ///< of the present experiment
};

/// "0:07", "12:30".
std::string minutes(double seconds);

/// What a line about a run under way tells.
struct Moment {
    double share;  ///< done, between 0 and 1
    std::string now;
    double elapsed, left;  ///< seconds
};

/// "[####......]  42 %  jacobi/cpu_naive/512x256/float/wall  0:12 elapsed, 0:15 left" in at most `width`
/// columns: a narrow one has no bar either, and below 40 columns percent and time left are all.
std::string moment_line(const Moment& moment, std::size_t width, bool with_bar);

/// "jacobi/...: 1.92 us [1.91, 1.93], 45 % of gpu_l2_bandwidth (estimate)", or the status with its reason.
std::string describe_row(const Row& row);
/// The same in at most `width` columns: a long name gives way first, then limit and interval.
std::string describe_row(const Row& row, std::size_t width);

/// Tells how a run goes on. A terminal's last line moves, above it stand the rows that are measured.
/// Elsewhere a line every few seconds tells where the run is. What failed shows everywhere, what was skipped
/// only with `verbose`.
class Progress {
  public:
    /// Where it is shown, and the seconds since the run began; both are asked again whenever they matter.
    struct Outside {
        std::function<void(const std::string&)> print;
        std::function<Screen()> screen;
        std::function<double()> seconds;
    };

    Progress(Outside outside, Schedule schedule, bool verbose)
        : outside_(std::move(outside)), schedule_(std::move(schedule)), verbose_(verbose) {}
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;
    ~Progress() { clear(); }

    /// How long it all will take, once that is known better. Nothing has begun yet.
    void expect(Schedule schedule) { schedule_ = std::move(schedule); }
    /// What is done until the next experiment begins.
    void doing(const std::string& what);
    /// The next experiment begins; a share between 0 and 1 of it was done by an earlier run.
    void experiment(const std::string& name, double done_before);
    /// The number-th (from 1) of the experiment's processes begins or goes on, with so many rows left.
    void process(int number, int of, std::size_t rows);
    /// These rows are measured next, in turns.
    void measuring(const std::vector<std::string>& rows);
    /// A process reports a row; `finished` when no later one adds to it.
    void row(const Row& row, bool finished);
    /// Shows that time passes. Cheap, to be called several times a second; prints at most once a second.
    void tick();
    /// A line that always shows.
    void say(const std::string& text);
    /// Takes the moving line away.
    void clear();

  private:
    double seconds();
    void update(std::size_t under_way);
    void print(const std::string& text);

    Outside outside_;
    Schedule schedule_;
    bool verbose_;
    std::string now_;
    double done_before_ = 0;
    int number_ = 0, of_ = 1;
    std::size_t done_ = 0, expected_ = 0;  // rows of the present process that can be measured
    double seconds_ = 0;
    double shown_ = 0;             // when tick() last printed; of a terminal, what is not drawn is below 0
    std::size_t drawn_width_ = 0;  // of the terminal that the moving line stands on; 0: there is none
    std::string above_;            // lines to be printed with the next move
};

}  // namespace gridmark::harness
