#include "harness/run/progress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace gridmark::harness {
void Schedule::begin(double elapsed, double done_before) {
    if (begun_ == 0) first_ = elapsed;
    seconds_.at(begun_) *= 1 - done_before;
    ++begun_;
    reach(elapsed, 0, 0);
}

void Schedule::reach(double elapsed, double share, double next) {
    at_ = elapsed;
    share_ = share;
    next_ = std::max(share, next);
}

double Schedule::left(double elapsed) const {
    if (begun_ == 0) return std::max(before_ - elapsed, 0.0) + experiments() + after_;
    return (experiments() - done(elapsed)) * pace() + after_;
}

double Schedule::share(double elapsed) const {
    const double past = begun_ == 0 ? std::min(elapsed, before_) : before_ + done(elapsed);
    return total() > 0 ? past / total() : 0;
}

double Schedule::experiments() const {
    return std::accumulate(seconds_.begin(), seconds_.end(), 0.0);
}

/// Declared seconds of what is measured.
double Schedule::reached() const {
    double sum = 0;
    for (std::size_t k = 0; k < begun_; ++k)
        sum += seconds_[k] * (k + 1 < begun_ ? 1 : share_);
    return sum;
}

/// Seconds that a declared one takes.
double Schedule::pace() const {
    const double known = experiments() / 20;
    return known > 0 ? (at_ - first_ + known) / (reached() + known) : 1;
}

/// The same as reached(), and of what is measured now as much as the pace allows, but never all of it.
double Schedule::done(double elapsed) const {
    const double present = seconds_[begun_ - 1] * (next_ - share_);
    return reached() + std::min((elapsed - at_) / pace(), 0.9 * present);
}

std::string minutes(double seconds) {
    const auto whole = std::lround(seconds);
    return fmt::format("{}:{:02}", whole / 60, whole % 60);
}

namespace {

constexpr const char* erase_line = "\r\x1b[K";

/// A terminal writes "^C" behind the moving line; in the last column that would begin a new one.
constexpr std::size_t room_for_interrupt = 3;

/// Seconds between two lines where none moves: a long run has about fifty.
double pause(double total) {
    return std::max(5.0, total / 50);
}

std::string bar(double share, std::size_t cells) {
    const auto full = static_cast<std::size_t>(share * static_cast<double>(cells));
    return '[' + std::string(full, '#') + std::string(cells - full, '.') + "] ";
}

/// How much is told of a measured row.
enum class Detail { value, interval, limit };

/// Times in the unit that suits them, other values in their own.
std::string describe_value(const Row& row, Detail detail) {
    if (!row.median) return fmt::format("{}: {}", to_string(row.status), row.reason);
    const auto [factor, unit] = row.unit == "us" ? unit_for(*row.median) : TimeUnit{1, row.unit.c_str()};
    std::string text = fmt::format("{:.4g}{}{}", *row.median * factor, row.unit.empty() ? "" : " ", unit);
    if (row.interval && detail >= Detail::interval)
        text += fmt::format(" [{:.4g}, {:.4g}]", row.interval->low * factor, row.interval->high * factor);
    if (row.limit && detail >= Detail::limit)
        text += fmt::format(", {:.0f} % of {}", 100 * row.limit->share, row.limit->ceiling);
    if (row.beaten_limit && detail >= Detail::limit)
        text += fmt::format(", beats {} by {:.0f} %", row.beaten_limit->ceiling,
                            100 * row.beaten_limit->share - 100);
    if (row.binding && detail >= Detail::limit) text += ", model: " + row.binding->ceiling;
    return row.status == Status::estimate ? text + " (estimate)" : text;
}

/// A row as a terminal shows it; why it failed is told in full.
std::string shown(const Row& row, const Screen& screen) {
    if (row.status != Status::failed) return describe_row(row, screen.width) + '\n';
    std::string text = wrap(describe_row(row), screen.width, 4);
    const std::string word = "failed";
    return text.replace(text.find(word + ':'), word.size(), paint(screen, Colour::red, word));
}

}  // namespace

std::string moment_line(const Moment& moment, std::size_t width, bool with_bar) {
    const std::string percent = fmt::format("{:3} %", static_cast<int>(100 * moment.share));
    if (width < 40) return cut(fmt::format("{}, {} left", percent, minutes(moment.left)), width);
    const bool wide = width >= 70;
    const std::string begin =
        (with_bar && wide ? bar(moment.share, width >= 100 ? 20 : 10) : "") + percent + "  ";
    const std::string end =
        fmt::format("  {}{}, {} left", minutes(moment.elapsed), wide ? " elapsed" : "", minutes(moment.left));
    const std::size_t taken = columns(begin) + columns(end);
    return begin + cut_middle(moment.now, width > taken ? width - taken : 0) + end;
}

std::string describe_row(const Row& row) {
    return row.name + ": " + describe_value(row, Detail::limit);
}

std::string describe_row(const Row& row, std::size_t width) {
    constexpr std::size_t enough = 20, least = 8;
    std::string value;
    for (const Detail detail : {Detail::limit, Detail::interval, Detail::value}) {
        value = ": " + describe_value(row, detail);
        if (std::min(columns(row.name), enough) + columns(value) <= width) break;
    }
    const std::size_t room = width > columns(value) ? width - columns(value) : 0;
    return cut(cut_middle(row.name, std::max(room, least)) + value, width);
}

void Progress::doing(const std::string& what) {
    now_ = what;
    tick();
}

void Progress::experiment(const std::string& name, double done_before) {
    now_ = name;
    done_before_ = done_before;
    number_ = 0;
    schedule_.begin(seconds(), done_before);
    tick();
}

void Progress::process(int number, int of, std::size_t rows) {
    if (number != number_) done_ = 0;  // else a new process goes on where the last one crashed
    number_ = number;
    of_ = of;
    expected_ = done_ + rows;
    update(0);
    tick();
}

void Progress::measuring(const std::vector<std::string>& rows) {
    now_ = rows.empty() ? "" : rows.front();
    if (rows.size() > 1) now_ += fmt::format(" +{}", rows.size() - 1);
    update(rows.size());
    tick();
}

void Progress::row(const Row& row, bool finished) {
    const bool skipped = row.status == Status::skipped, failed = row.status == Status::failed;
    if (skipped)
        expected_ = std::max(expected_, done_ + 1) - 1;
    else
        expected_ = std::max(expected_, ++done_);
    update(0);
    const Screen screen = outside_.screen();
    const bool measured = !skipped && !failed && finished;
    if (failed || verbose_ || (measured && screen.moving)) {
        if (screen.moving)
            above_ += shown(row, screen);
        else
            print(without_control_characters(describe_row(row)) + '\n');
    }
    tick();
}

/// Tells the schedule how far the present experiment is; `under_way` rows follow.
void Progress::update(std::size_t under_way) {
    const auto share = [&](std::size_t rows) {
        const double part = expected_ == 0 ? 1 : static_cast<double>(rows) / static_cast<double>(expected_);
        const double whole = (number_ - 1 + std::min(part, 1.0)) / of_;
        return done_before_ < 1 ? std::max(whole - done_before_, 0.0) / (1 - done_before_) : 1;
    };
    schedule_.reach(seconds(), share(done_), share(done_ + under_way));
}

void Progress::tick() {
    const double now = seconds();
    const Screen screen = outside_.screen();
    const Moment moment{schedule_.share(now), now_, now, schedule_.left(now)};
    if (!screen.moving) {
        if (now < shown_ + pause(schedule_.total())) return;
        print(moment_line(moment, screen.width, false) + '\n');
        shown_ = now;
    } else if (now >= shown_ + 1 || screen.width != drawn_width_) {
        const std::size_t room = screen.width > room_for_interrupt ? screen.width - room_for_interrupt : 0;
        print(moment_line(moment, room, true));
        drawn_width_ = screen.width;
        shown_ = now;
    }
}

void Progress::say(const std::string& text) {
    const Screen screen = outside_.screen();
    print(screen.moving ? wrap(text, screen.width, 4) : without_control_characters(text) + '\n');
}

void Progress::clear() {
    print("");
}

/// In the moving line's place: lines that wait, and the text.
void Progress::print(const std::string& text) {
    if (const std::string all = (drawn_width_ > 0 ? erase_line : "") + above_ + text; !all.empty())
        outside_.print(all);
    above_.clear();
    drawn_width_ = 0;
}

/// A clock that goes back stands still instead.
double Progress::seconds() {
    return seconds_ = std::max(seconds_, outside_.seconds());
}

}  // namespace gridmark::harness
