#pragma once

#include <string>

namespace gridmark::resolution {

/// How often the interval of a row holds the median of its repeat on other machines of the model, by kind of
/// time, as a table in Markdown. `fit` and `fit_again` are folders of one model, by which what machines
/// differ by is fitted; `tried` and `tried_again` of another, by which it is tried. Each is the other's
/// repeat.
std::string table_of_repeats(const std::string& fit, const std::string& fit_again, const std::string& tried,
                             const std::string& tried_again);

}  // namespace gridmark::resolution
