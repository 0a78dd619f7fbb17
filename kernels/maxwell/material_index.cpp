#include "kernels/maxwell/material_index.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <set>
#include <string>

#include "kernels/launch/error.hpp"
#include "kernels/maxwell/quotient.hpp"
#include "kernels/maxwell/scheme.hpp"

namespace gridmark::maxwell {
namespace {

/// What tells combinations apart: a node's value of each array; first eps and sigma, then mu.
template <class T>
using Key = std::array<T, 9>;
template <class T>
using Data = std::array<const T*, 9>;

template <class T>
Data<T> data_of(const Coefficients<T>& k) {
    Data<T> data;
    for (int c = 0; c < 3; ++c) {
        data[c] = k.eps[c].data();
        data[3 + c] = k.sigma[c].data();
        data[6 + c] = k.mu[c].data();
    }
    return data;
}

template <class T>
Key<T> key_at(const Data<T>& data, std::size_t i) {
    Key<T> key;
    for (std::size_t k = 0; k < key.size(); ++k)
        key[k] = data[k][i];
    return key;
}

/// All keys in order, or too many: no more than one more than a byte can tell is looked for.
template <class T>
std::vector<Key<T>> distinct(const Layout& layout, const Data<T>& data) {
    constexpr std::size_t enough = MaterialIndex<T>::most + 1;
    std::set<Key<T>> all;
#pragma omp parallel
    {
        std::set<Key<T>> own;
#pragma omp for schedule(static)
        for (int x = 0; x < layout.planes(); ++x) {
            Key<T> last = key_at(data, x * layout.plane());
            own.insert(last);
            for (std::size_t i = x * layout.plane(); i < (x + 1) * layout.plane() && own.size() < enough; ++i)
                if (const auto key = key_at(data, i); key != last) own.insert(last = key);
        }
#pragma omp critical
        all.insert(own.begin(), own.end());
    }
    return {all.begin(), all.end()};
}

/// Each node's number among the sorted keys.
template <class T>
Storage<std::uint8_t> numbered(const Layout& layout, const Data<T>& data, const std::vector<Key<T>>& keys) {
    Storage<std::uint8_t> numbers(layout.size());
#pragma omp parallel for schedule(static)
    for (int x = 0; x < layout.planes(); ++x) {
        std::size_t number = 0;
        for (std::size_t i = x * layout.plane(); i < (x + 1) * layout.plane(); ++i) {
            if (const auto key = key_at(data, i); key != keys[number])
                number = std::lower_bound(keys.begin(), keys.end(), key) - keys.begin();
            numbers[i] = static_cast<std::uint8_t>(number);
        }
    }
    return numbers;
}

}  // namespace

template <class T>
MaterialIndex<T> index_materials(const Coefficients<T>& k, T dct) {
    const Data<T> data = data_of(k);
    const auto keys = distinct(k.layout, data);
    if (keys.size() > MaterialIndex<T>::most)
        throw launch::Unavailable("the body makes more than " + std::to_string(MaterialIndex<T>::most) +
                                  " combinations of coefficients, which is what a byte a node can tell");
    MaterialIndex<T> result{k.layout, numbered(k.layout, data, keys), {}, {}};
    for (const auto& key : keys) {
        auto& of_e = result.of_e.emplace_back();
        auto& of_h = result.of_h.emplace_back();
        for (int c = 0; c < 3; ++c) {
            const T denominator = e_denominator(key[c], key[3 + c], dct);
            of_e.component[c] = {key[c], denominator, reciprocal(denominator)};
            of_h.factor[c] = h_factor(key[6 + c], dct);
        }
    }
    return result;
}

#define GRIDMARK_INSTANTIATE(T)       \
    template struct MaterialIndex<T>; \
    template MaterialIndex<T> index_materials(const Coefficients<T>&, T);
GRIDMARK_INSTANTIATE(float)
GRIDMARK_INSTANTIATE(double)

}  // namespace gridmark::maxwell
