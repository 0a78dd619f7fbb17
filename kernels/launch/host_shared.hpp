#pragma once

#include <cstddef>
#include <memory>
#include <vector>

namespace gridmark::launch::executor {

/// A GRIDMARK_SHARED declaration: its address in the code, and what it asks for.
struct SharedArray {
    const void* site;
    const char* name;
    std::size_t bytes;
};

/// The shared memory of one block at a time. Every byte is 0xFF (a NaN in any floating-point type) when a
/// block starts; a write outside an array hits a red zone, which AddressSanitizer watches, and check()
/// without it.
class SharedMemory {
  public:
    /// Forgets the arrays of the last kernel. `dynamic_bytes` are within the limits (see run_grid).
    void start_launch(std::size_t dynamic_bytes);
    /// Makes all bytes unwritten again.
    void start_block();
    /// The array of this declaration; the first thread that comes to it creates it.
    void* array(const SharedArray& wanted);
    /// The dynamic shared memory of the launch.
    void* dynamic() { return dynamic_->data(); }
    /// Throws Error naming an array whose red zone was written.
    void check() const;

  private:
    // An array between two red zones.
    class Zone {
      public:
        Zone(const void* site, const char* name, std::size_t bytes);
        ~Zone();
        Zone(const Zone&) = delete;
        Zone& operator=(const Zone&) = delete;

        const void* site() const { return site_; }
        const char* name() const { return name_; }
        void* data() const;
        void poison();
        bool intact() const;

      private:
        const void* site_;
        const char* name_;
        std::size_t bytes_;
        std::unique_ptr<unsigned char[]> memory_;
        unsigned char* front_;
    };

    std::unique_ptr<Zone> dynamic_;
    std::vector<std::unique_ptr<Zone>> arrays_;
    std::size_t dynamic_bytes_ = 0;
    std::size_t static_bytes_ = 0;
};

}  // namespace gridmark::launch::executor
