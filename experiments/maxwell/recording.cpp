#include "experiments/maxwell/recording.hpp"

#include <string>

namespace gridmark::maxwell {

const char* const component_names[components] = {"ex", "ey", "ez", "hx", "hy", "hz"};

namespace {

using harness::number_of;

std::string in(const char* group, const char* name) {
    return std::string(group) + "/" + name;
}

}  // namespace

template <class T>
class Recording {
  public:
    Recording(const Described& d, Solver<T>& solver, harness::Recorder& to)
        : d_(d), solver_(solver), to_(to) {
        if (!d.points.empty() && d.steps > 0) begin_points();
        if (!d.moments.empty()) begin_moments();
    }

    /// After a step.
    void record_points(int step) {
        if (d_.points.empty()) return;
        const auto at = static_cast<std::size_t>(step - 1);
        std::vector<T> values(d_.points.size());
        for (int component = 0; component < components; ++component) {
            for (std::size_t k = 0; k < values.size(); ++k) {
                const auto& [x, y, z] = d_.points[k];
                values[k] = solver_.value(component, x, y, z);
            }
            to_.write(in("points", component_names[component]), at, values);
        }
        to_.write("points/ct", at, std::vector<double>{step * d_.problem.dct});
    }
    void record_moment(std::size_t number) {
        for (int component = 0; component < components; ++component)
            to_.write(in("moments", component_names[component]), number,
                      whole_field(d_.problem.grid, solver_, component));
        const std::int64_t step = d_.moments[number];
        to_.write("moments/step", number, std::vector<std::int64_t>{step});
        to_.write("moments/ct", number, std::vector<double>{static_cast<double>(step) * d_.problem.dct});
    }

  private:
    void begin_points() {
        const auto steps = static_cast<std::size_t>(d_.steps);
        for (const char* name : component_names)
            to_.begin(in("points", name), number_of<T>(), {steps, d_.points.size()});
        to_.begin("points/ct", number_of<double>(), {steps});
        to_.begin("points/index", number_of<std::int64_t>(), {d_.points.size(), 3});
    }
    void begin_moments() {
        const Grid& grid = d_.problem.grid;
        std::vector<std::size_t> sizes{d_.moments.size()};
        for (int axis = 0; axis < 3; ++axis)
            sizes.push_back(static_cast<std::size_t>(grid.n(axis)) + 1);
        for (const char* name : component_names)
            to_.begin(in("moments", name), number_of<T>(), sizes);
        to_.begin("moments/step", number_of<std::int64_t>(), {d_.moments.size()});
        to_.begin("moments/ct", number_of<double>(), {d_.moments.size()});
    }

    const Described& d_;
    Solver<T>& solver_;
    harness::Recorder& to_;
};

template <class T>
void run_and_record(const Described& d, Solver<T>& solver, harness::Recorder* recorder) {
    if (recorder == nullptr) {
        solver.steps(d.steps);
        return;
    }
    Recording<T> recording(d, solver, *recorder);
    if (!d.points.empty() && d.steps > 0)
        for (std::size_t k = 0; k < d.points.size(); ++k)
            recorder->write("points/index", k,
                            std::vector<std::int64_t>(d.points[k].begin(), d.points[k].end()));
    std::size_t next = 0;
    const auto record_moments = [&](int step) {
        for (; next < d.moments.size() && d.moments[next] == step; ++next)
            recording.record_moment(next);
    };
    record_moments(0);
    for (int step = 0; step < d.steps;) {
        // Points are recorded at every step; without them the steps up to the next moment go at once.
        const int until = next < d.moments.size() ? d.moments[next] : d.steps;
        const int count = d.points.empty() ? until - step : 1;
        solver.steps(count);
        step += count;
        recording.record_points(step);
        record_moments(step);
    }
}

template <class T>
std::vector<T> whole_field(const Grid& grid, Solver<T>& solver, int component) {
    const std::size_t plane = static_cast<std::size_t>(grid.n(1) + 1) * (grid.n(2) + 1);
    std::vector<T> values(plane * (grid.n(0) + 1));
    for (int x = 0; x <= grid.n(0); ++x)
        solver.get_plane(component, x, values.data() + x * plane);
    return values;
}

#define GRIDMARK_INSTANTIATE(T)                                                     \
    template void run_and_record(const Described&, Solver<T>&, harness::Recorder*); \
    template std::vector<T> whole_field(const Grid&, Solver<T>&, int);
GRIDMARK_INSTANTIATE(float)
GRIDMARK_INSTANTIATE(double)
#undef GRIDMARK_INSTANTIATE

}  // namespace gridmark::maxwell
