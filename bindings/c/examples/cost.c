/* The cost of a tick of 1,000 remotes with poses through the C interface: see bindings/cost. Prints the median time of a
 * tick in nanoseconds, and a hash of the last matrices. */
#define _POSIX_C_SOURCE 199309L
#include <acmotion.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { COUNT = 1000, WARM_UP = 200, TICKS = 1000, MATRICES = 32 * COUNT };

static void check(AcmStatus status)
{
    if (status != ACM_STATUS_OK) {
        fprintf(stderr, "status %d\n", (int)status);
        exit(1);
    }
}

static int ascending(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

int main(void)
{
    static AcmMatrix matrices[MATRICES];
    static AcmBody bodies[COUNT];
    static AcmEvent events[4096];
    static double times[TICKS];
    AcmAssets assets;
    AcmWorld world;
    AcmPresented presented = { 0, 0 };
    AcmBatch batch;
    AcmView view;
    uint32_t hash = 0x811C9DC5U;

    check(acm_assets_mannequin(&assets));
    check(acm_world_new(assets, 0, NULL, &world));
    for (uint32_t number = 0; number < COUNT; number++) {
        AcmEntitySpec spec;
        check(acm_entity_spec_init(&spec));
        spec.guid = 0x50000100U + number;
        spec.flags |= ACM_SPEC_POSITION | ACM_SPEC_MOTION;
        spec.position.cell = 0xA9B40001;
        spec.position.origin.x = 2.0F + 4.0F * (float)(number % 40);
        spec.position.origin.y = 2.0F + 4.0F * (float)(number / 40);
        spec.position.origin.z = 94.0F;
        check(acm_position_set_heading(&spec.position, (float)(number * 67 % 360)));
        spec.style = 0x8000003D;
        spec.forward = 0x44000007;
        check(acm_world_spawn(world, &spec, 0.0));
    }
    memset(&view, 0, sizeof view);
    view.struct_size = (uint32_t)sizeof view;
    view.origin = 0xA9B40001;
    view.share = 1.0F;
    view.poses = ACM_POSES_RETAIL;
    for (int tick = 1; tick <= WARM_UP + TICKS; tick++) {
        struct timespec before, after;
        clock_gettime(CLOCK_MONOTONIC, &before);
        check(acm_world_advance(world, tick * 0.033334, NULL));
        check(acm_world_events(world, events, 4096, &batch));
        check(acm_world_present(world, &view, matrices, MATRICES, bodies, COUNT, &presented));
        clock_gettime(CLOCK_MONOTONIC, &after);
        if (tick > WARM_UP) {
            times[tick - WARM_UP - 1] =
                (double)(after.tv_sec - before.tv_sec) * 1e9 + (double)(after.tv_nsec - before.tv_nsec);
        }
    }
    for (size_t i = 0; i < presented.matrices; i++) {
        for (size_t k = 0; k < 12; k++) {
            uint32_t bits;
            memcpy(&bits, &matrices[i].m[k], sizeof bits);
            hash = (hash ^ bits) * 0x01000193U;
        }
    }
    qsort(times, TICKS, sizeof times[0], ascending);
    printf("%.0f %08x\n", times[TICKS / 2], hash);
    check(acm_free(world));
    check(acm_free(assets));
    return 0;
}
