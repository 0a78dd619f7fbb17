#include "harness/results/json_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string>
#include <utility>
#include <vector>

#include "harness/usage_error.hpp"

namespace gridmark::harness {
namespace {

using nlohmann::json;

/// Builds a document from the parser's events. The library's own builder lets the last of two equal keys win,
/// and its documents may be so deep that whatever recurses into them overflows the stack.
class Builder final : public json::json_sax_t {
  public:
    explicit Builder(const std::string& label) : label_(label) {}

    bool null() override { return put(nullptr); }
    bool boolean(bool value) override { return put(value); }
    bool number_integer(std::int64_t value) override { return put(value); }
    bool number_unsigned(std::uint64_t value) override { return put(value); }
    bool number_float(double value, const std::string&) override { return put(value); }
    bool string(std::string& value) override {
        check_length(value);
        return put(std::move(value));
    }
    bool binary(json::binary_t&) override { return false; }  // JSON has none
    bool start_object(std::size_t) override { return open(json::object()); }
    bool start_array(std::size_t) override { return open(json::array()); }
    bool end_object() override { return close(); }
    bool end_array() override { return close(); }
    bool key(std::string& name) override {
        check_length(name);
        key_ = std::move(name);
        if (open_.back().value->contains(key_))
            refuse(fmt::format("key {} stands twice in one object", path()));
        return true;
    }
    bool parse_error(std::size_t byte, const std::string&, const json::exception& error) override {
        if (error.id == 406) refuse("not valid JSON: it holds a number too large for any double");
        refuse(fmt::format("not valid JSON at byte {} (truncated?)", byte));
    }

    json take() { return std::move(root_); }

  private:
    struct Open {
        json* value;
        std::string key;  ///< in what it lies in; empty there in an array
    };

    [[noreturn]] void refuse(const std::string& why) const {
        throw UsageError(fmt::format("{}: {}", label_, why));
    }

    void check_length(const std::string& text) const {
        if (text.size() > longest_json_text)
            refuse(fmt::format("not a result file: a text of {} bytes in it, more than {}", text.size(),
                               longest_json_text));
    }

    json* place(json value) {
        if (open_.empty()) return &(root_ = std::move(value));
        json& parent = *open_.back().value;
        if (parent.is_object()) return &(parent[key_] = std::move(value));
        parent.push_back(std::move(value));
        return &parent.back();
    }

    bool put(json value) {
        place(std::move(value));
        return true;
    }

    bool open(json value) {
        if (open_.size() == deepest_json)
            refuse(fmt::format("not a result file: nested more than {} deep", deepest_json));
        json* placed = place(std::move(value));
        open_.push_back({placed, key_});
        return true;
    }

    bool close() {
        open_.pop_back();
        return true;
    }

    /// "benchmarks.3.median": where the parser is.
    std::string path() const {
        std::string text;
        for (std::size_t i = 1; i <= open_.size(); ++i) {
            const json& parent = *open_[i - 1].value;
            const std::string& name = i < open_.size() ? open_[i].key : key_;
            text += (i > 1 ? "." : "") + (parent.is_object() ? name : std::to_string(parent.size() - 1));
        }
        return text;
    }

    const std::string& label_;
    json root_;
    std::vector<Open> open_;
    std::string key_;
};

/// A file that is read through it; closed when it goes.
class Descriptor {
  public:
    // O_NONBLOCK: a pipe that nobody writes to must not hold us up.
    explicit Descriptor(const std::filesystem::path& path)
        : id_(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC)) {}
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor() {
        if (id_ >= 0) ::close(id_);
    }
    /// The size of a regular file; -1 for anything else.
    off_t size() const {
        struct stat status {};
        return id_ >= 0 && ::fstat(id_, &status) == 0 && S_ISREG(status.st_mode) ? status.st_size : -1;
    }
    /// Appends what is left, up to `most` bytes in all; false on an error.
    bool read(std::string& text, std::size_t most) const {
        while (text.size() < most) {
            char chunk[1 << 16];
            const ssize_t n = ::read(id_, chunk, std::min(sizeof chunk, most - text.size()));
            if (n == 0) return true;
            if (n < 0 && errno != EINTR) return false;
            if (n > 0) text.append(chunk, static_cast<std::size_t>(n));
        }
        return true;
    }

  private:
    int id_;
};

}  // namespace

json parse_json(std::string_view text, const std::string& label) {
    Builder builder(label);
    // The parser skips a byte order mark, which RFC 8259 forbids to write.
    if (text.starts_with("\xef\xbb\xbf"))
        throw UsageError(fmt::format("{}: not valid JSON: it begins with a byte order mark", label));
    // The parser takes one for the end, whatever follows.
    if (const auto null = text.find('\0'); null != std::string_view::npos)
        throw UsageError(fmt::format("{}: not valid JSON at byte {}: a null byte", label, null + 1));
    json::sax_parse(text.begin(), text.end(), &builder);
    return builder.take();
}

json read_json_file(const std::filesystem::path& path) {
    const Descriptor file(path);
    const off_t size = file.size();
    // A file may grow while it is read.
    std::string text;
    if (size < 0 || (size <= off_t{largest_json_file} && !file.read(text, largest_json_file + 1)))
        throw UsageError(fmt::format("{}: cannot be read", path.string()));
    const auto bytes = std::max(static_cast<std::size_t>(size), text.size());
    if (bytes > largest_json_file)
        throw UsageError(fmt::format("{}: {} bytes are too many: a result file has at most {}", path.string(),
                                     bytes, largest_json_file));
    return parse_json(text, path.string());
}

}  // namespace gridmark::harness
