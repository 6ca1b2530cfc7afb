/* Makes the crowd of crates/acmotion-ffi/tests/crowd.rs through the C interface, and compares its digest with the one of
 * the engine: `crowd bindings/crowd.digest`. */
#include <acmotion.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = 40, TICKS = 300 };
static const double TICK = 0.033334;

static void check(AcmStatus status)
{
    char text[256];
    size_t length = 0;
    if (status != ACM_STATUS_OK) {
        if (acm_last_error(text, sizeof text, &length) != ACM_STATUS_OK) {
            length = 0;
        }
        fprintf(stderr, "status %d: %.*s\n", (int)status, (int)length, text);
        exit(1);
    }
}

static uint32_t guid(uint32_t number) { return 0x50000100U + number; }

static uint32_t command(const char *name)
{
    uint32_t found;
    check(acm_command_find(name, strlen(name), ACM_ERA_END_OF_RETAIL, &found));
    return found;
}

static AcmPosition start(uint32_t number)
{
    AcmPosition position = { 0xA9B40001, { 0.0F, 0.0F, 94.0F }, { 1.0F, 0.0F, 0.0F, 0.0F } };
    position.origin.x = 20.0F + 6.0F * (float)(number % 8);
    position.origin.y = 20.0F + 5.0F * (float)(number / 8);
    check(acm_position_set_heading(&position, (float)(number * 67 % 360)));
    return position;
}

static void receive(AcmWorld world, const AcmMessage *message, double now)
{
    uint8_t bytes[256];
    size_t length;
    check(acm_wire_encode(message, NULL, 0, bytes, sizeof bytes, &length));
    check(acm_world_receive(world, bytes, length, now));
}

static AcmMessage new_message(uint32_t opcode, uint32_t number)
{
    AcmMessage message;
    memset(&message, 0, sizeof message);
    message.struct_size = (uint32_t)sizeof message;
    message.opcode = opcode;
    message.direction = ACM_DIRECTION_S2C;
    message.guid = guid(number);
    return message;
}

static void report(AcmWorld world, uint32_t number, uint16_t second, double now)
{
    AcmMessage motion = new_message(ACM_MESSAGE_UPDATE_MOTION, number);
    if (number % 5 != 4) {
        AcmMessage position = new_message(ACM_MESSAGE_UPDATE_POSITION, number);
        position.position = start(number);
        position.position.origin.x += 0.7F * (float)second;
        position.position.origin.y += 0.35F * (float)second;
        position.position_flags = 4;
        position.position_stamp = (uint16_t)(1 + second);
        receive(world, &position, now);
    }
    motion.movement_stamp = (uint16_t)(1 + second);
    motion.movement_type = ACM_MOVEMENT_STATE;
    motion.style = command("NonCombat");
    motion.state_fields = ACM_STATE_FORWARD_SPEED;
    motion.forward_speed = 0.5F + (float)number / 64.0F;
    if (number % 3 == 1) {
        motion.state_fields |= ACM_STATE_SIDESTEP;
        motion.sidestep_command = command("SideStepRight");
    } else {
        motion.state_fields |= ACM_STATE_FORWARD;
        motion.forward_command = command("RunForward");
    }
    if (number % 4 == 1) {
        motion.state_fields |= ACM_STATE_TURN;
        motion.turn_command = command("TurnRight");
    }
    receive(world, &motion, now);
    if (number % 7 == 3) {
        AcmMessage vector = new_message(ACM_MESSAGE_VECTOR_UPDATE, number);
        vector.velocity.x = 1.5F;
        vector.velocity.y = 3.0F;
        vector.velocity.z = 8.0F;
        vector.vector_stamp = (uint16_t)(1 + second);
        receive(world, &vector, now);
    }
}

int main(int argc, char **argv)
{
    AcmAssets assets;
    AcmWorld world;
    AcmEvent events[64];
    AcmBatch batch;
    uint8_t *snapshot;
    size_t size = 0;
    uint64_t hash = 0xCBF29CE484222325ULL;
    char digest[64], expected[64] = "";
    FILE *file;

    check(acm_assets_mannequin(&assets));
    check(acm_world_new(assets, 0, NULL, &world));
    for (uint32_t number = 0; number < COUNT; number++) {
        AcmEntitySpec spec;
        check(acm_entity_spec_init(&spec));
        spec.guid = guid(number);
        spec.position = start(number);
        spec.flags |= ACM_SPEC_POSITION;
        check(acm_world_spawn(world, &spec, 10.0));
    }
    for (uint32_t tick = 0; tick < TICKS; tick++) {
        double now = 10.0 + tick * TICK;
        for (uint32_t number = tick % 30; number < COUNT; number += 30) {
            report(world, number, (uint16_t)(tick / 30), now);
        }
        if (tick == 100) {
            AcmOrder order;
            check(acm_order_init(&order));
            order.kind = ACM_ORDER_CHASE;
            order.target = guid(9);
            check(acm_world_order(world, guid(2), &order, now));
        }
        check(acm_world_tick(world, now, NULL));
        do {
            check(acm_world_events(world, events, 64, &batch));
        } while (batch.left > 0);
    }
    if (acm_world_snapshot(world, NULL, 0, &size) != ACM_STATUS_BUFFER_TOO_SMALL) {
        return 1;
    }
    snapshot = malloc(size);
    if (snapshot == NULL) {
        return 1;
    }
    check(acm_world_snapshot(world, snapshot, size, &size));
    for (size_t i = 0; i < size; i++) {
        hash = (hash ^ snapshot[i]) * 0x100000001B3ULL;
    }
    free(snapshot);
    check(acm_free(world));
    check(acm_free(assets));

    snprintf(digest, sizeof digest, "%lu %08lx%08lx\n", (unsigned long)size, (unsigned long)(hash >> 32),
             (unsigned long)(hash & 0xFFFFFFFFU));
    printf("crowd: %s", digest);
    file = argc > 1 ? fopen(argv[1], "r") : NULL;
    if (file != NULL) {
        if (fgets(expected, sizeof expected, file) == NULL) {
            expected[0] = '\0';
        }
        fclose(file);
    }
    if (strcmp(digest, expected) != 0) {
        fprintf(stderr, "expected: %s\n", expected);
        return 1;
    }
    return 0;
}
