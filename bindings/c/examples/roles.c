/* The three roles of the project's README, small: a client that watches a server, a bot, and a server that checks its
 * player. Everything runs on the built-in data.
 *
 *     cc -std=c11 -I crates/acmotion-ffi/include bindings/c/examples/roles.c -L target/release -lacmotion_ffi -o roles
 */
#include <acmotion.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CREATURE = 0x50001, MESSAGE_BYTES = 4096, MESSAGES = 64, EVENTS = 64, FRAMES = 300 };
static const uint32_t PLAYER = 0x50000001;

/* Ends the program with the text of the last error, unless a call succeeded. */
static void check(AcmStatus status, const char *what)
{
    char text[256];
    size_t length = 0;
    if (status >= ACM_STATUS_OK) {
        return;
    }
    if (acm_last_error(text, sizeof text, &length) != ACM_STATUS_OK) {
        length = 0;
    }
    fprintf(stderr, "%s: status %d: %.*s\n", what, (int)status, (int)length, text);
    exit(1);
}

static AcmPosition place(float y)
{
    AcmPosition position = { 0xA9B40001, { 12.0F, y, 94.0F }, { 1.0F, 0.0F, 0.0F, 0.0F } };
    return position;
}

static AcmPosition landmark(const char *name)
{
    AcmPosition position;
    check(acm_town_landmark(name, strlen(name), &position), name);
    return position;
}

static AcmWorld new_world(AcmAssets assets, AcmScene scene, uint32_t player)
{
    AcmWorldSettings settings;
    AcmWorld world;
    check(acm_world_settings_init(&settings), "settings");
    settings.player = player;
    check(acm_world_new(assets, scene, &settings, &world), "world");
    return world;
}

static void spawn(AcmWorld world, uint32_t guid, AcmPosition position)
{
    AcmEntitySpec spec;
    check(acm_entity_spec_init(&spec), "spec");
    spec.guid = guid;
    spec.position = position;
    spec.flags |= ACM_SPEC_POSITION;
    if (guid == PLAYER) {
        spec.flags |= ACM_SPEC_SKILLS;
        spec.run_skill = 200;
        spec.jump_skill = 100;
    }
    check(acm_world_spawn(world, &spec, 0.0), "spawn");
}

static void order(AcmWorld world, uint32_t guid, AcmPosition goal, double now)
{
    AcmOrder order;
    check(acm_order_init(&order), "order");
    order.position = goal;
    check(acm_world_order(world, guid, &order, now), "order");
}

/* Sends a description of an entity to a client. */
static void describe(AcmWorld server, uint32_t guid, const char *name, AcmWorld client)
{
    uint8_t bytes[1024];
    size_t length;
    check(acm_world_describe(server, guid, ACM_DESCRIBE_OBJECT, name, strlen(name), bytes, sizeof bytes, &length),
          "describe");
    check(acm_world_queue(client, bytes, length), "queue");
}

/* Moves all messages to clients from a server to one client. Returns how many there were. */
static size_t deliver(AcmWorld server, AcmWorld client)
{
    uint8_t bytes[MESSAGE_BYTES];
    AcmSpan spans[MESSAGES];
    AcmBatch batch;
    size_t total = 0;
    do {
        check(acm_world_broadcasts(server, bytes, sizeof bytes, spans, MESSAGES, &batch), "broadcasts");
        for (size_t i = 0; i < batch.count; i++) {
            check(acm_world_queue(client, bytes + spans[i].offset, spans[i].length), "queue");
        }
        total += (size_t)batch.count;
    } while (batch.left > 0);
    return total;
}

/* A client that shows what a server sends. */
static void watch(AcmAssets assets)
{
    AcmWorld server = new_world(assets, 0, 0), client = new_world(assets, 0, 0);
    AcmMatrix matrices[64];
    AcmBody bodies[4];
    AcmPresented presented = { 0, 0 };
    AcmEntityState truth, shown;
    float apart;
    AcmView view = { 0 };

    spawn(server, CREATURE, place(12.0F));
    describe(server, CREATURE, "Drudge", client);
    order(server, CREATURE, place(24.0F), 0.0);
    view.struct_size = (uint32_t)sizeof view;
    view.origin = 0xA9B40001;
    view.share = 1.0F;
    for (int frame = 1; frame <= FRAMES; frame++) {
        double now = frame / 30.0;
        check(acm_world_advance(server, now, NULL), "advance");
        if (frame % 30 == 0) {
            check(acm_world_report_position(server, CREATURE), "report");
        }
        deliver(server, client);

        /* A client's frame: queue what has arrived, advance, draw. That is all. */
        check(acm_world_advance(client, now, NULL), "advance");
        check(acm_world_present(client, &view, matrices, 64, bodies, 4, &presented), "present");
    }
    check(acm_world_entity(server, CREATURE, &truth), "entity");
    check(acm_world_entity(client, CREATURE, &shown), "entity");
    check(acm_position_distance(&truth.position, &shown.position, &apart), "distance");
    printf("watch: the creature is at y %.2f, shown %.2f m off with %u parts\n", (double)truth.position.origin.y,
           (double)apart, bodies[0].count);
    if (presented.bodies != 1 || apart > 0.1F || truth.position.origin.y < 22.0F) {
        exit(1);
    }
    check(acm_free(client), "free");
    check(acm_free(server), "free");
}

/* A bot: a request to a player in the town, and how it ends. */
static void bot(AcmAssets assets, AcmScene town)
{
    AcmWorld world = new_world(assets, town, PLAYER);
    AcmRequest request;
    AcmEvent events[EVENTS];
    AcmBatch batch;
    uint32_t id, progress = ACM_PROGRESS_QUEUED;

    spawn(world, PLAYER, landmark("spawn"));
    check(acm_request_init(&request), "request");
    request.position = landmark("doorstep");
    check(acm_player_request(world, &request, 0.0, &id), "request");
    for (int frame = 1; frame <= FRAMES; frame++) {
        check(acm_world_advance(world, frame / 30.0, NULL), "advance");
        do {
            check(acm_world_events(world, events, EVENTS, &batch), "events");
            for (size_t i = 0; i < batch.count; i++) {
                if (events[i].kind == ACM_EVENT_REQUEST && events[i].number == id) {
                    progress = events[i].reason;
                }
            }
        } while (batch.left > 0);
    }
    printf("bot: the walk to the door %s\n", progress == ACM_PROGRESS_DONE ? "is done" : "was not done");
    if (progress != ACM_PROGRESS_DONE) {
        exit(1);
    }
    check(acm_free(world), "free");
}

/* A server: a creature, a player that is checked, and an observer. */
static void serve(AcmAssets assets, AcmScene town)
{
    AcmWorld server = new_world(assets, town, 0), client = new_world(assets, town, PLAYER);
    AcmWorld observer = new_world(assets, town, 0);
    AcmCheckSettings settings;
    AcmChecker checker;
    AcmEntityState truth, shown;
    unsigned judged = 0, alarms = 0;
    uint32_t walk_forward;
    float apart;

    check(acm_check_settings_init(&settings), "settings");
    check(acm_checker_new(assets, town, PLAYER, &settings, &checker), "checker");
    check(acm_command_find("WalkForward", 11, ACM_ERA_END_OF_RETAIL, &walk_forward), "command");
    spawn(server, PLAYER, landmark("spawn"));
    spawn(client, PLAYER, landmark("spawn"));
    spawn(server, CREATURE, landmark("ramp_foot"));
    describe(server, PLAYER, "Mannequin", observer);
    describe(server, CREATURE, "Drudge", observer);
    order(server, CREATURE, landmark("outdoor_stairs_foot"), 0.0);
    for (int frame = 1; frame <= FRAMES; frame++) {
        double now = frame / 30.0;
        uint8_t bytes[MESSAGE_BYTES];
        AcmSpan spans[MESSAGES];
        AcmBatch batch;
        if (frame == 30 || frame == 60) {
            check(acm_player_key(client, walk_forward, frame == 30, now), "key");
        }
        check(acm_world_advance(client, now, NULL), "advance");
        check(acm_world_outbound(client, bytes, sizeof bytes, spans, MESSAGES, &batch), "outbound");
        for (size_t i = 0; i < batch.count; i++) {
            const uint8_t *message = bytes + spans[i].offset;
            AcmVerdict verdict;
            AcmStatus status = acm_checker_receive(checker, message, spans[i].length, now, &verdict);
            check(status, "check");
            if (status == ACM_STATUS_OK) {
                judged++;
                alarms += verdict.is_alarm;
            }
            check(acm_world_follow_client(server, PLAYER, message, spans[i].length, ACM_ERA_END_OF_RETAIL, now),
                  "follow");
        }
        check(acm_world_advance(server, now, NULL), "advance");
        if (frame % 30 == 0) {
            check(acm_world_report_position(server, PLAYER), "report");
            check(acm_world_report_position(server, CREATURE), "report");
        }
        deliver(server, observer);
        check(acm_world_advance(observer, now, NULL), "advance");
    }
    check(acm_world_entity(server, PLAYER, &truth), "entity");
    check(acm_world_entity(observer, PLAYER, &shown), "entity");
    check(acm_position_distance(&truth.position, &shown.position, &apart), "distance");
    printf("serve: %u reports of the player were checked, %u alarms; the observer is %.2f m off\n", judged, alarms,
           (double)apart);
    if (judged == 0 || alarms != 0 || apart > 0.5F) {
        exit(1);
    }
    check(acm_free(checker), "free");
    check(acm_free(observer), "free");
    check(acm_free(client), "free");
    check(acm_free(server), "free");
}

/* How long is this swing, and when does it hit? */
static void swing(AcmAssets assets)
{
    AcmTable table;
    AcmMotionQuery query = { (uint32_t)sizeof query, 0, 0, 0, 1.0F };
    AcmTiming timing;
    check(acm_command_find("SwordCombat", 11, ACM_ERA_END_OF_RETAIL, &query.style), "style");
    check(acm_command_find("SlashHigh", 9, ACM_ERA_END_OF_RETAIL, &query.motion), "motion");
    check(acm_table_load(assets, 0x09000001, &table), "table");
    check(acm_table_timing(table, &query, &timing), "timing");
    printf("swing: %.3f s, it hits after %.3f s\n", timing.link_seconds, timing.first_attack);
    if (timing.first_attack <= 0.0 || timing.first_attack >= timing.link_seconds) {
        exit(1);
    }
    check(acm_free(table), "free");
}

int main(void)
{
    AcmLayout layout = ACM_LAYOUT_INIT;
    AcmAssets portal, cells;
    AcmScene town;
    uint64_t live;
    check(acm_abi_check(&layout), "layout");
    check(acm_assets_mannequin(&portal), "mannequin");
    check(acm_assets_town(&cells), "town");
    check(acm_scene_load(portal, cells, &town), "scene");
    swing(portal);
    watch(portal);
    bot(portal, town);
    serve(portal, town);
    check(acm_free(town), "free");
    check(acm_free(cells), "free");
    check(acm_free(portal), "free");
    check(acm_live_handles(&live), "live");
    if (live != 0 || acm_free(portal) != ACM_STATUS_BAD_HANDLE) {
        fprintf(stderr, "%u objects were not freed\n", (unsigned)live);
        return 1;
    }
    return 0;
}
