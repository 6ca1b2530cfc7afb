// acmotion for C++17: objects that free themselves, exceptions instead of statuses, vectors instead of buffers.
//
// It covers what most programs need; every function of acmotion.h works with the handles of these objects (`get()`), and
// `acmotion::check` turns a status into an exception. docs/c.md has the rules of threads and lifetimes.
#pragma once

#include <acmotion.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace acmotion {

/// A call failed. `status()` says how, `what()` in words.
class Error : public std::runtime_error {
public:
    Error(AcmStatus status, const std::string &text) : std::runtime_error(text), status_(status) {}
    AcmStatus status() const noexcept { return status_; }

private:
    AcmStatus status_;
};

/// The text of the last error of this thread.
inline std::string last_error()
{
    std::size_t length = 0;
    acm_last_error(nullptr, 0, &length);
    std::string text(length, '\0');
    if (acm_last_error(text.data(), text.size(), &length) != ACM_STATUS_OK) {
        text.clear();
    }
    return text;
}

/// Throws unless a call succeeded. Returns false if it had no answer (`ACM_STATUS_NOTHING`).
inline bool check(AcmStatus status)
{
    if (status < ACM_STATUS_OK) {
        throw Error(status, last_error());
    }
    return status == ACM_STATUS_OK;
}

/// Checks that the program was compiled for this library. Call it once.
inline void check_abi()
{
    const AcmLayout layout = ACM_LAYOUT_INIT;
    check(acm_abi_check(&layout));
}

/// Owns the object of a handle.
class Handle {
public:
    Handle() noexcept = default;
    explicit Handle(AcmHandle handle) noexcept : handle_(handle) {}
    Handle(Handle &&other) noexcept : handle_(std::exchange(other.handle_, 0)) {}
    Handle &operator=(Handle &&other) noexcept
    {
        std::swap(handle_, other.handle_);
        return *this;
    }
    Handle(const Handle &) = delete;
    Handle &operator=(const Handle &) = delete;
    ~Handle()
    {
        if (handle_ != 0) {
            acm_free(handle_);
        }
    }

    /// The handle, for the functions of acmotion.h; 0 if it was moved away.
    AcmHandle get() const noexcept { return handle_; }

private:
    AcmHandle handle_ = 0;
};

/// Calls a function that writes a list, with a buffer of the size that it needs.
template <typename T, typename Call>
std::vector<T> list_of(Call call)
{
    std::vector<T> values;
    std::size_t count = 0;
    AcmStatus status = call(values.data(), values.size(), &count);
    // Another thread may have added something in between.
    while (status == ACM_STATUS_BUFFER_TOO_SMALL) {
        values.resize(count);
        status = call(values.data(), values.size(), &count);
    }
    check(status);
    values.resize(count);
    return values;
}

/// Calls a function that writes a text.
template <typename Call>
std::string text_of(Call call)
{
    const std::vector<char> text = list_of<char>(call);
    return std::string(text.begin(), text.end());
}

/// The number of a motion command, `nullopt` if there is none of that name.
inline std::optional<std::uint32_t> find_command(std::string_view name, std::uint32_t era = ACM_ERA_END_OF_RETAIL)
{
    std::uint32_t command = 0;
    const bool found = check(acm_command_find(name.data(), name.size(), era, &command));
    return found ? std::optional<std::uint32_t>(command) : std::nullopt;
}

/// Dat files.
class Assets : public Handle {
public:
    static Assets mannequin()
    {
        AcmAssets assets = 0;
        check(acm_assets_mannequin(&assets));
        return Assets(assets);
    }
    static Assets town()
    {
        AcmAssets assets = 0;
        check(acm_assets_town(&assets));
        return Assets(assets);
    }
    static Assets open(std::string_view path)
    {
        AcmAssets assets = 0;
        check(acm_assets_open(path.data(), path.size(), &assets));
        return Assets(assets);
    }

    /// The ids of the objects in a range, in ascending order.
    std::vector<std::uint32_t> list(std::uint32_t first, std::uint32_t last) const
    {
        return list_of<std::uint32_t>([&](std::uint32_t *ids, std::size_t capacity, std::size_t *count) {
            return acm_assets_list(get(), first, last, ids, capacity, count);
        });
    }

private:
    using Handle::Handle;
};

/// A motion table: how long motions take and when they hit.
class MotionTable : public Handle {
public:
    MotionTable(const Assets &assets, std::uint32_t id) : Handle(load(assets, id)) {}

    AcmTiming timing(std::uint32_t style, std::uint32_t motion, float speed = 1.0F) const
    {
        const AcmMotionQuery query = { static_cast<std::uint32_t>(sizeof(AcmMotionQuery)), style, motion, 0, speed };
        AcmTiming timing = {};
        check(acm_table_timing(get(), &query, &timing));
        return timing;
    }

    std::vector<AcmTimedHook> hooks(std::uint32_t style, std::uint32_t motion, float speed = 1.0F) const
    {
        const AcmMotionQuery query = { static_cast<std::uint32_t>(sizeof(AcmMotionQuery)), style, motion, 0, speed };
        return list_of<AcmTimedHook>([&](AcmTimedHook *hooks, std::size_t capacity, std::size_t *count) {
            return acm_table_hooks(get(), &query, hooks, capacity, count);
        });
    }

private:
    static AcmTable load(const Assets &assets, std::uint32_t id)
    {
        AcmTable table = 0;
        check(acm_table_load(assets.get(), id, &table));
        return table;
    }
};

/// Land, rooms, buildings and scenery.
class Scene : public Handle {
public:
    Scene(const Assets &portal, const Assets &cells) : Handle(load(portal, cells)) {}

    std::optional<float> height(const AcmPosition &position) const
    {
        float height = 0;
        const bool found = check(acm_scene_height(get(), &position, &height));
        return found ? std::optional<float>(height) : std::nullopt;
    }

    AcmSight line_of_sight(const AcmPosition &from, const AcmPosition &to) const
    {
        AcmSight sight = {};
        check(acm_scene_line_of_sight(get(), &from, &to, &sight));
        return sight;
    }

private:
    static AcmScene load(const Assets &portal, const Assets &cells)
    {
        AcmScene scene = 0;
        check(acm_scene_load(portal.get(), cells.get(), &scene));
        return scene;
    }
};

/// What a world shows, in buffers that are used again from frame to frame.
struct Frame {
    std::vector<AcmMatrix> matrices;
    std::vector<AcmBody> bodies;
};

/// All entities of a client or a server.
class World : public Handle {
public:
    static AcmWorldSettings default_settings()
    {
        AcmWorldSettings settings = {};
        check(acm_world_settings_init(&settings));
        return settings;
    }
    static AcmEntitySpec human(std::uint32_t guid, const AcmPosition &position)
    {
        AcmEntitySpec spec = {};
        check(acm_entity_spec_init(&spec));
        spec.guid = guid;
        spec.position = position;
        spec.flags |= ACM_SPEC_POSITION;
        return spec;
    }

    explicit World(const Assets &assets) : World(assets, nullptr, default_settings()) {}
    World(const Assets &assets, const Scene *scene, const AcmWorldSettings &settings)
        : Handle(create(assets, scene, settings))
    {
    }

    void spawn(const AcmEntitySpec &spec, double now) { check(acm_world_spawn(get(), &spec, now)); }
    void despawn(std::uint32_t guid, double now) { check(acm_world_despawn(get(), guid, now)); }
    void queue(const std::vector<std::uint8_t> &message)
    {
        check(acm_world_queue(get(), message.data(), message.size()));
    }
    bool advance(double now)
    {
        std::uint32_t ticked = 0;
        check(acm_world_advance(get(), now, &ticked));
        return ticked != 0;
    }

    std::optional<AcmEntityState> entity(std::uint32_t guid) const
    {
        AcmEntityState state = {};
        const AcmStatus status = acm_world_entity(get(), guid, &state);
        if (status == ACM_STATUS_NOT_FOUND) {
            return std::nullopt;
        }
        check(status);
        return state;
    }

    /// Writes the matrices and positions of all bodies. The buffers grow when that is needed.
    void present(const AcmView &view, Frame &frame) const
    {
        AcmPresented presented = {};
        const auto call = [&] {
            return acm_world_present(get(), &view, frame.matrices.data(), frame.matrices.size(), frame.bodies.data(),
                                     frame.bodies.size(), &presented);
        };
        frame.bodies.resize(frame.bodies.capacity());
        AcmStatus status = call();
        while (status == ACM_STATUS_BUFFER_TOO_SMALL) {
            frame.matrices.resize(std::max(frame.matrices.size(), static_cast<std::size_t>(presented.matrices)));
            frame.bodies.resize(std::max(frame.bodies.size(), static_cast<std::size_t>(presented.bodies)));
            status = call();
        }
        check(status);
        frame.bodies.resize(static_cast<std::size_t>(presented.bodies));
    }

    /// Takes all events and calls a function with each.
    template <typename Use>
    void drain_events(Use use)
    {
        AcmEvent events[64];
        AcmBatch batch = {};
        do {
            check(acm_world_events(get(), events, 64, &batch));
            for (std::size_t i = 0; i < batch.count; i++) {
                use(static_cast<const AcmEvent &>(events[i]));
            }
        } while (batch.left > 0);
    }

    /// Takes all messages to clients.
    std::vector<std::vector<std::uint8_t>> broadcasts() { return messages(acm_world_broadcasts); }
    /// Takes all messages of the player's client to the server.
    std::vector<std::vector<std::uint8_t>> outbound() { return messages(acm_world_outbound); }

    void order(std::uint32_t guid, const AcmOrder &order, double now)
    {
        check(acm_world_order(get(), guid, &order, now));
    }
    std::uint32_t request(const AcmRequest &request, double now)
    {
        std::uint32_t id = 0;
        check(acm_player_request(get(), &request, now, &id));
        return id;
    }

    std::vector<std::uint8_t> describe(std::uint32_t guid, std::uint32_t what, std::string_view name = {}) const
    {
        return list_of<std::uint8_t>([&](std::uint8_t *bytes, std::size_t capacity, std::size_t *count) {
            return acm_world_describe(get(), guid, what, name.data(), name.size(), bytes, capacity, count);
        });
    }
    std::vector<std::uint8_t> snapshot() const
    {
        return list_of<std::uint8_t>([&](std::uint8_t *bytes, std::size_t capacity, std::size_t *count) {
            return acm_world_snapshot(get(), bytes, capacity, count);
        });
    }

private:
    static AcmWorld create(const Assets &assets, const Scene *scene, const AcmWorldSettings &settings)
    {
        AcmWorld world = 0;
        check(acm_world_new(assets.get(), scene == nullptr ? 0 : scene->get(), &settings, &world));
        return world;
    }

    template <typename Take>
    std::vector<std::vector<std::uint8_t>> messages(Take take)
    {
        std::vector<std::vector<std::uint8_t>> all;
        std::vector<std::uint8_t> bytes(4096);
        AcmSpan spans[64];
        AcmBatch batch = {};
        do {
            const AcmStatus status = take(get(), bytes.data(), bytes.size(), spans, 64, &batch);
            if (status == ACM_STATUS_BUFFER_TOO_SMALL) {
                bytes.resize(static_cast<std::size_t>(batch.next_length));
                continue;
            }
            check(status);
            for (std::size_t i = 0; i < batch.count; i++) {
                const std::uint8_t *start = bytes.data() + spans[i].offset;
                all.emplace_back(start, start + spans[i].length);
            }
        } while (batch.left > 0);
        return all;
    }
};

}  // namespace acmotion
