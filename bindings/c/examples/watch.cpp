// A client that watches a server, with the C++ header: a creature walks, and the client shows it.
//
//     c++ -std=c++17 -I crates/acmotion-ffi/include -I bindings/c/include bindings/c/examples/watch.cpp
//         -L target/release -lacmotion_ffi -o watch
#include <acmotion.hpp>

#include <cstdio>

namespace {

constexpr std::uint32_t CREATURE = 0x80000001;

AcmPosition place(float y)
{
    return { 0xA9B40001, { 12.0F, y, 94.0F }, { 1.0F, 0.0F, 0.0F, 0.0F } };
}

int run()
{
    acmotion::check_abi();
    const auto assets = acmotion::Assets::mannequin();
    const acmotion::MotionTable table(assets, 0x09000001);
    const auto slash = table.timing(*acmotion::find_command("SwordCombat"), *acmotion::find_command("SlashHigh"));
    std::printf("a slash takes %.3f s and hits after %.3f s\n", slash.link_seconds, slash.first_attack);

    acmotion::World server(assets), client(assets);
    server.spawn(acmotion::World::human(CREATURE, place(12.0F)), 0.0);
    client.queue(server.describe(CREATURE, ACM_DESCRIBE_OBJECT, "Drudge"));
    AcmOrder order = {};
    acmotion::check(acm_order_init(&order));
    order.position = place(24.0F);
    server.order(CREATURE, order, 0.0);

    acmotion::Frame shown;
    AcmView view = {};
    view.struct_size = sizeof(view);
    view.origin = 0xA9B40001;
    view.share = 1.0F;
    unsigned arrivals = 0;
    for (int frame = 1; frame <= 300; frame++) {
        const double now = frame / 30.0;
        server.advance(now);
        for (const auto &message : server.broadcasts()) {
            client.queue(message);
        }
        client.advance(now);
        client.present(view, shown);
        client.drain_events([&](const AcmEvent &event) {
            arrivals += event.kind == ACM_EVENT_MOVE_TO && event.detail == ACM_MOVE_TO_ARRIVED;
        });
    }
    const AcmBody &body = shown.bodies.at(0);
    std::printf("the client shows %u parts of the creature at y %.2f\n", body.count,
                static_cast<double>(body.position.origin.y));
    try {
        server.despawn(CREATURE + 1, 10.0);
        return 1;
    } catch (const acmotion::Error &error) {
        std::printf("as expected: %s\n", error.what());
    }
    const bool is_right = arrivals == 1 && body.position.origin.y > 22.0F && !server.snapshot().empty();
    return is_right && !client.entity(CREATURE + 1) ? 0 : 1;
}

}  // namespace

int main()
{
    try {
        return run();
    } catch (const acmotion::Error &error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
