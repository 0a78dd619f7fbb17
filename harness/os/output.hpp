#pragma once

#include <filesystem>
#include <string>
#include <string_view>

/// Files that the program writes, whatever command writes them: HDF5, results, exports, reports.
namespace gridmark::harness {

/// What `option` names as a file to be written, before any work is done for it: a file of that name, or a
/// place in a folder for one. Throws UsageError for devices, pipes, folders, links that lead to such or to
/// nothing, and for "" and "-"; a file may be called "./-".
void check_output(const std::filesystem::path& path, const std::string& option);

/// A file while it is written. Until then it is `path`.partial, which only one program at a time may write,
/// and whatever was at the path stays; then it takes the path in one step. It goes with the object unless it
/// has been put in its place; a program that is killed leaves it, and the next one begins it anew. A link
/// stays one: what it leads to is replaced. The file's mode is what umask leaves of 0666.
class OutputFile {
  public:
    /// Makes it. Throws std::runtime_error naming the path; UsageError when another program is writing it.
    explicit OutputFile(const std::filesystem::path& path);
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;
    ~OutputFile();

    const std::filesystem::path& partial() const { return partial_; }
    /// Throws std::system_error naming the path, as put_in_place() does.
    void write(std::string_view content);
    /// Flushes it to the disk, renames it over the path and flushes the folder: a power cut, too, leaves the
    /// old file or the new one.
    void put_in_place();

  private:
    void open();
    bool take_name();
    void check(int error) const;
    void close_quietly();

    std::filesystem::path given_, path_, partial_;
    int file_ = -1;
};

/// The whole of an OutputFile. After an exception the file holds its old content, or the new one where
/// flushing the folder failed, and no temporary file is left.
void write_atomically(const std::filesystem::path& path, std::string_view content);

}  // namespace gridmark::harness
