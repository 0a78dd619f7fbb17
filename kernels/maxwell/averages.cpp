#include "kernels/maxwell/averages.hpp"

#include "kernels/maxwell/scheme.hpp"

namespace gridmark::maxwell {
namespace {

/// The shares of the cells before and behind node i; that outside the grid has none.
struct Shares {
    double low, high;
};

Shares shares(const std::vector<double>& nodes, int i) {
    const int last = static_cast<int>(nodes.size()) - 1;
    const double twice = 2 * half_distance(nodes, i);
    return {i > 0 ? (nodes[i] - nodes[i - 1]) / twice : 0, i < last ? (nodes[i + 1] - nodes[i]) / twice : 0};
}

/// The cells before and behind a node; outside the grid the one inside, which has no share.
struct Cells {
    int low, high;
};

Cells cells(int n, int i) {
    return {i > 0 ? i - 1 : 0, i < n - 1 ? i : n - 2};
}

class Averager {
  public:
    Averager(const Grid& grid, const Body& body) : grid_(grid), body_(body) {
        for (int axis = 0; axis < 3; ++axis)
            for (int i = 0; i < grid.n(axis); ++i)
                shares_[axis].push_back(shares(grid.nodes[axis], i));
    }

    /// Of component c of E at index `at`: over the four cells around its edge.
    Material around_edge(int c, const int (&at)[3]) const {
        const int a = next(c), b = before(c);
        const Shares sa = shares_[a][at[a]], sb = shares_[b][at[b]];
        const Cells ca = cells(grid_.n(a), at[a]), cb = cells(grid_.n(b), at[b]);
        Material sum{0, 0, 0};
        const auto add = [&](int ia, int ib, double share) {
            int cell[3];
            cell[c] = at[c] - 1;
            cell[a] = ia;
            cell[b] = ib;
            const Material& m = material(cell);
            sum.eps += share * m.eps;
            sum.sigma += share * m.sigma;
        };
        add(ca.low, cb.low, sa.low * sb.low);
        add(ca.high, cb.low, sa.high * sb.low);
        add(ca.low, cb.high, sa.low * sb.high);
        add(ca.high, cb.high, sa.high * sb.high);
        return sum;
    }

    /// mu of component c of H at index `at`: of the two cells at its face.
    double across_face(int c, const int (&at)[3]) const {
        int low[3] = {at[0] - 1, at[1] - 1, at[2] - 1}, high[3] = {at[0] - 1, at[1] - 1, at[2] - 1};
        const Shares s = shares_[c][at[c]];
        low[c] = cells(grid_.n(c), at[c]).low;
        high[c] = cells(grid_.n(c), at[c]).high;
        return s.low * material(low).mu + s.high * material(high).mu;
    }

  private:
    const Material& material(const int (&cell)[3]) const {
        return body_.materials[body_.cells[body_.index(grid_, cell[0], cell[1], cell[2])]];
    }

    const Grid& grid_;
    const Body& body_;
    std::vector<Shares> shares_[3];
};

bool inside(int (*first)(int, int), int c, const Layout& l, const int (&at)[3]) {
    for (int axis = 0; axis < 3; ++axis)
        if (at[axis] < first(c, axis) || at[axis] >= l.n[axis]) return false;
    return true;
}

}  // namespace

template <class T>
Coefficients<T> average(const Grid& grid, const Body& body, int threads) {
    const Layout l = make_layout<T>(grid);
    Coefficients<T> k{l, {}, {}, {}};
    for (auto* arrays : {&k.eps, &k.mu, &k.sigma})
        for (Storage<T>& array : *arrays)
            array = Storage<T>(l.size());
    const Averager averager(grid, body);
#pragma omp parallel for num_threads(threads) schedule(static)
    for (int x = 0; x < l.planes(); ++x)
        for (int y = 0; y < l.rows(); ++y)
            for (int z = 0; z < l.pitch; ++z)
                for (int c = 0; c < 3; ++c) {
                    const std::size_t i = x * l.plane() + static_cast<std::size_t>(y) * l.pitch + z;
                    const int at[3] = {x, y, z};
                    const Material edge =
                        inside(first_e, c, l, at) ? averager.around_edge(c, at) : Material{};
                    k.eps[c][i] = static_cast<T>(edge.eps);
                    k.sigma[c][i] = static_cast<T>(edge.sigma);
                    k.mu[c][i] = static_cast<T>(inside(first_h, c, l, at) ? averager.across_face(c, at) : 1);
                }
    return k;
}

template Coefficients<float> average(const Grid&, const Body&, int);
template Coefficients<double> average(const Grid&, const Body&, int);

}  // namespace gridmark::maxwell
