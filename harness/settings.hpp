#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace gridmark::harness {

/// The pairs of KEY=VALUE words. Throws UsageError for a word without a key or an equals sign.
std::map<std::string, std::string> parse_settings(const std::vector<std::string>& words);

/// The --set KEY=VALUE pairs of a `solve` or a `run`, read with their types. Every error is a UsageError of
/// one line naming the key and the reason.
class Settings {
  public:
    /// Throws when a key is not among `known`: a typo must not silently compute something else.
    /// `option` is what an error names.
    Settings(std::map<std::string, std::string> values, const std::set<std::string>& known,
             std::string option = "--set");

    /// Whether it was given.
    bool has(const std::string& key) const { return values_.contains(key); }
    /// A whole number between `least` and `most`, or the default.
    std::int64_t integer(const std::string& key, std::int64_t otherwise, std::int64_t least,
                         std::int64_t most) const;
    /// A finite number, or the default.
    double number(const std::string& key, double otherwise) const;
    /// Any text, or the default; the study checks it.
    std::string text(const std::string& key, const std::string& otherwise) const;
    /// One of the words, or the default.
    std::string word(const std::string& key, const std::string& otherwise,
                     const std::set<std::string>& words) const;

    /// What an error names: "--set" or "--axis".
    const std::string& option() const { return option_; }

    /// Throws when one of `keys` was set, which `because` leaves without a meaning: "--input".
    void refuse(const std::set<std::string>& keys, const std::string& because) const;

  private:
    std::map<std::string, std::string> values_;
    std::string option_;
};

/// f(float{}) or f(double{}), as the setting `precision` says. Throws UsageError for another word.
template <class F>
auto in_precision(const Settings& settings, const F& f, const char* otherwise = "float") {
    return settings.word("precision", otherwise, {"float", "double"}) == "float" ? f(float{}) : f(double{});
}

/// Values of device memory that a grid in host memory may take: `device_values`, or as many of `value_bytes`
/// as `budget_mib` MiB hold. Throws UsageError.
std::size_t device_values_of(const Settings& settings, std::size_t value_bytes, std::int64_t otherwise);

/// "8GiB", "512M", "4096": bytes, with K, M, G, T (optionally followed by B or iB) as powers of 1024. Throws
/// UsageError.
std::size_t parse_memory_size(const std::string& text);

}  // namespace gridmark::harness
