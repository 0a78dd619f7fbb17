#pragma once

#include <map>
#include <string>
#include <vector>

/// What a folder would hold after a power cut: only what was flushed survives one. A file's bytes are kept by
/// fsync of the file, a rename by fsync of its folder.
namespace gridmark::faults {

class Disk {
  public:
    /// The file's bytes are in the cache only.
    void wrote(const std::string& path) { unflushed_[path] = true; }
    void flushed(const std::string& path) { unflushed_.erase(path); }
    /// To be called before the rename itself: keeps what is overwritten.
    void will_rename(const std::string& from, const std::string& to);
    void flushed_folder() { renames_.clear(); }
    /// Takes back what was not flushed.
    void lose_power();

  private:
    struct Rename {
        std::string from, to;
        bool existed;
        std::string content;  // of what was overwritten
    };
    std::map<std::string, bool> unflushed_;
    std::vector<Rename> renames_;  // since the folder was flushed, in order
};

}  // namespace gridmark::faults
