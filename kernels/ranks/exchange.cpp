#include "kernels/ranks/exchange.hpp"

namespace gridmark::ranks {
namespace {

/// Copies a box of a field into packed values in C order, x fastest, or back.
template <class T>
void copy_box(const Field<T>& field, const Box& box, T* packed, Way way) {
    const int count = box.size(0);
    const std::ptrdiff_t stride = field.stride[0];
    for (int z = box.low[2]; z < box.high[2]; ++z)
        for (int y = box.low[1]; y < box.high[1]; ++y, packed += count) {
            T* const row = field.at(box.low[0], y, z);
            if (way == Way::out)
                for (int i = 0; i < count; ++i)
                    packed[i] = row[i * stride];
            else
                for (int i = 0; i < count; ++i)
                    row[i * stride] = packed[i];
        }
}

}  // namespace

template <class T>
Exchange<T>::Exchange(Transport& transport, const Cut& cut, const Reach& reach, Ghosts ghosts, int fields,
                      launch::Device* device)
    : transport_(transport),
      fields_count_(fields),
      device_(device),
      direct_(device != nullptr && transport.takes_device_memory()) {
    lay_out(sent(cut, transport.rank(), reach, ghosts), out_, sent_);
    lay_out(received(cut, transport.rank(), reach, ghosts), in_, received_);
    if (device == nullptr) return;
    beside_ = std::make_unique<launch::OwnedStream>(*device);
    ready_ = std::make_unique<launch::Event>(*device);
    packed_ = std::make_unique<launch::Event>(*device);
    fetched_ = std::make_unique<launch::Event>(*device);
    unpacked_ = std::make_unique<launch::Event>(*device);
}

template <class T>
void Exchange<T>::lay_out(const std::vector<Piece>& pieces, std::vector<Message>& messages,
                          Staging& staging) {
    for (const Piece& piece : pieces) {
        messages.push_back({piece, staging.values});
        staging.values += values(messages.back());
    }
    if (device_ == nullptr) {
        staging.host.resize(staging.values);
        return;
    }
    staging.on_device = launch::Buffer<T>(*device_, staging.values);
    if (!direct_) staging.pinned = std::make_unique<launch::Pinned<T>>(*device_, staging.values);
}

template <class T>
std::span<T> Exchange<T>::place(Staging& staging, const Message& message) {
    T* const first = device_ == nullptr ? staging.host.data()
                     : direct_          ? staging.on_device.data()
                                        : staging.pinned->span().data();
    return {first + message.first, values(message)};
}

template <class T>
void Exchange<T>::copy(const std::vector<Message>& messages, Staging& staging, Way way) {
    for (const Message& message : messages)
        for (std::size_t f = 0; f < fields_.size(); ++f) {
            const Box& box = message.piece.box;
            const std::size_t first = message.first + f * box.points();
            if (device_ == nullptr) {
                copy_box(fields_[f], box, staging.host.data() + first, way);
                continue;
            }
            const Field<T>& field = fields_[f];
            const PackedBox<T> packed{field.at(box.low[0], box.low[1], box.low[2]),
                                      staging.on_device.data() + first,
                                      {box.size(0), box.size(1), box.size(2)},
                                      {field.stride[0], field.stride[1], field.stride[2]}};
            const launch::Stream stream = beside_->stream();
            GRIDMARK_SELECT(stream, copy_packed<T>)(stream, packed, way);
        }
}

template <class T>
void Exchange<T>::begin(const std::vector<Field<T>>& fields) {
    fields_ = fields;
    // A rank that is ahead may have sent its next message already, which then comes at once: not before the
    // last one has been read out of the same place.
    if (device_ != nullptr) unpacked_->wait();
    for (const Message& message : in_)
        transport_.receive(message.piece.rank, std::as_writable_bytes(place(received_, message)));
    if (device_ != nullptr) {
        ready_->set(device_->stream());
        ready_->hold(beside_->stream());
    }
    copy(out_, sent_, Way::out);
    if (device_ == nullptr) return;
    // Updates in place may not overtake the packing.
    packed_->set(beside_->stream());
    packed_->hold(device_->stream());
    if (!direct_ && sent_.values > 0)
        beside_->download(sent_.pinned->span(), static_cast<const T*>(sent_.on_device.data()));
    fetched_->set(beside_->stream());
}

template <class T>
void Exchange<T>::send() {
    if (device_ != nullptr && !out_.empty()) fetched_->wait();
    for (const Message& message : out_)
        transport_.send(message.piece.rank, std::as_bytes(place(sent_, message)));
}

template <class T>
void Exchange<T>::finish() {
    transport_.finish();
    if (device_ != nullptr && !direct_ && received_.values > 0)
        beside_->upload(received_.on_device.data(), std::span<const T>(received_.pinned->span()));
    copy(in_, received_, Way::in);
    if (device_ == nullptr) return;
    unpacked_->set(beside_->stream());
    unpacked_->hold(device_->stream());
}

template <class T>
std::size_t Exchange<T>::bytes_sent() const {
    return sent_.values * sizeof(T);
}

template class Exchange<float>;
template class Exchange<double>;

}  // namespace gridmark::ranks
