/* The C interface of acmotion: the motion system of Asheron's Call.
 *
 * Written by cbindgen from crates/acmotion-ffi; do not edit. docs/c.md says how to use it, and which rules hold for
 * handles, buffers and threads.
 */

#pragma once

#include <stddef.h>
#include <stdint.h>

// The version of this interface. It changes whenever a function or a structure does so that old callers would break.
#define ACM_ABI_VERSION 1

// Numbers of the last client, which today's servers use.
#define ACM_ERA_END_OF_RETAIL 0

// Numbers of the client of September 2013.
#define ACM_ERA_SEPTEMBER_2013 1

// From the server to the client.
#define ACM_DIRECTION_S2C 0

// From the client to the server.
#define ACM_DIRECTION_C2S 1

// An entry of a motion table that loops.
#define ACM_MOTION_CYCLE 0

// An entry of a motion table that is added to a cycle.
#define ACM_MOTION_MODIFIER 1

// An entry of a motion table that leads from a substate to another, or is an action.
#define ACM_MOTION_LINK 2

// The number of the hook that hits, in `AcmTimedHook::hook` and in events.
#define ACM_HOOK_ATTACK 3

// From the server: the movement of a body.
#define ACM_MESSAGE_UPDATE_MOTION 63308

// From the server: the position of a body.
#define ACM_MESSAGE_UPDATE_POSITION 63304

// From the server: the velocity of a body.
#define ACM_MESSAGE_VECTOR_UPDATE 63310

// From the server: the physics state of a body.
#define ACM_MESSAGE_SET_STATE 63307

// From the server: the position and the movement of a body.
#define ACM_MESSAGE_POSITION_AND_MOVEMENT 63001

// From the server: an object is deleted.
#define ACM_MESSAGE_DELETE_OBJECT 63303

// From the server: the id of the client's own player.
#define ACM_MESSAGE_PLAYER_CREATE 63302

// From the server: the player enters portal space.
#define ACM_MESSAGE_PLAYER_TELEPORT 63313

// From the client: what the player's keys ask for.
#define ACM_MESSAGE_MOVE_TO_STATE 63004

// From the client: the player's position.
#define ACM_MESSAGE_AUTONOMOUS_POSITION 63315

// From the client: the player jumps.
#define ACM_MESSAGE_JUMP 63003

// `AcmMessage::fields`: `velocity` is present in a position report.
#define ACM_FIELD_VELOCITY 1

// `AcmMessage::fields`: `placement` is present in a position report.
#define ACM_FIELD_PLACEMENT 2

// `AcmMessage::fields`: `position` is present in a jump.
#define ACM_FIELD_POSITION 4

// `AcmMessage::fields`: the two numbers at the end of a short jump are present.
#define ACM_FIELD_JUMP_TAIL 8

// `AcmMessage::state_fields`: `current_style` is present.
#define ACM_STATE_STYLE 1

// `AcmMessage::state_fields`: `forward_command` is present.
#define ACM_STATE_FORWARD 2

// `AcmMessage::state_fields`: `forward_speed` is present.
#define ACM_STATE_FORWARD_SPEED 4

// `AcmMessage::state_fields`: `sidestep_command` is present.
#define ACM_STATE_SIDESTEP 8

// `AcmMessage::state_fields`: `sidestep_speed` is present.
#define ACM_STATE_SIDESTEP_SPEED 16

// `AcmMessage::state_fields`: `turn_command` is present.
#define ACM_STATE_TURN 32

// `AcmMessage::state_fields`: `turn_speed` is present.
#define ACM_STATE_TURN_SPEED 64

// `AcmMessage::state_fields`: `hold_key` is present (only in `ACM_MESSAGE_MOVE_TO_STATE`, as the next three).
#define ACM_STATE_HOLD_KEY 128

// `AcmMessage::state_fields`: `forward_hold_key` is present.
#define ACM_STATE_FORWARD_HOLD_KEY 256

// `AcmMessage::state_fields`: `sidestep_hold_key` is present.
#define ACM_STATE_SIDESTEP_HOLD_KEY 512

// `AcmMessage::state_fields`: `turn_hold_key` is present.
#define ACM_STATE_TURN_HOLD_KEY 1024

// `AcmMessage::movement_type`: a motion state.
#define ACM_MOVEMENT_STATE 0

// `AcmMessage::movement_type`: an order to move to an object.
#define ACM_MOVEMENT_TO_OBJECT 6

// `AcmMessage::movement_type`: an order to move to a position.
#define ACM_MOVEMENT_TO_POSITION 7

// `AcmMessage::movement_type`: an order to turn to an object.
#define ACM_MOVEMENT_TURN_TO_OBJECT 8

// `AcmMessage::movement_type`: an order to turn to a heading.
#define ACM_MOVEMENT_TURN_TO_HEADING 9

// The maximum number of actions in a message.
#define ACM_MAX_ACTIONS 31

// Nothing is in the way.
#define ACM_SURFACE_NONE 0

// The land.
#define ACM_SURFACE_LAND 1

// The shell of a building.
#define ACM_SURFACE_BUILDING 2

// The floor, a wall or the ceiling of a room.
#define ACM_SURFACE_ROOM 3

// An object that never moves.
#define ACM_SURFACE_SCENERY 4

// An entity.
#define ACM_SURFACE_ENTITY 5

// No cells lead from one position to the other.
#define ACM_SURFACE_UNCONNECTED 6

// A surface of a type that this version does not name.
#define ACM_SURFACE_OTHER 7

// The shape moves like a body on foot.
#define ACM_SWEEP_WALK 0

// The shape moves like a missile.
#define ACM_SWEEP_FLY 1

// `AcmWorldSettings::flags`: an object that is reported but was never created gets a humanoid stand-in.
#define ACM_WORLD_STAND_INS 1

// `AcmWorldSettings::flags`: a remote that leaves the ground takes the velocity of its own motion.
#define ACM_WORLD_FLAT_REMOTE_JUMPS 2

// `AcmWorldSettings::flags`: a body stands on level ground where the scene is unknown.
#define ACM_WORLD_LEVEL_WHERE_UNKNOWN 4

// `AcmWorldSettings::flags`: bodies can be presented between ticks, for displays.
#define ACM_WORLD_PRESENTS_BETWEEN_TICKS 8

// `AcmWorldSettings::flags`: all messages wait until the server names the player.
#define ACM_WORLD_AWAITS_PLAYER 16

// `AcmEntitySpec::flags`: it is a creature or a player.
#define ACM_SPEC_CREATURE 1

// `AcmEntitySpec::flags`: it has a position.
#define ACM_SPEC_POSITION 2

// `AcmEntitySpec::flags`: `velocity` counts.
#define ACM_SPEC_VELOCITY 4

// `AcmEntitySpec::flags`: `translucency` counts.
#define ACM_SPEC_TRANSLUCENCY 8

// `AcmEntitySpec::flags`: it is a player whose skills are `run_skill`, `jump_skill`, `load` and `stamina`.
#define ACM_SPEC_SKILLS 16

// `AcmEntitySpec::flags`: it starts with `style`, `forward` and `forward_speed`.
#define ACM_SPEC_MOTION 32

// `AcmView::poses`: parts move smoothly between key frames and ticks.
#define ACM_POSES_SMOOTH 0

// `AcmView::poses`: parts show key frames, as in the original.
#define ACM_POSES_RETAIL 1

// `AcmEntityState::flags`: it touches something.
#define ACM_ENTITY_CONTACT 1

// `AcmEntityState::flags`: it is on walkable ground.
#define ACM_ENTITY_ON_WALKABLE 2

// `AcmEntityState::flags`: it is in a cell.
#define ACM_ENTITY_IN_CELL 4

// `AcmEntityState::flags`: it follows an order.
#define ACM_ENTITY_MOVING_TO 8

// `AcmEntityState::flags`: it stands in for an object that is missing from the assets, or was never created.
#define ACM_ENTITY_STAND_IN 16

// Creatures and players are obstacles to a line of sight.
#define ACM_FILTER_CREATURES 1

// Other entities are obstacles to a line of sight.
#define ACM_FILTER_OBJECTS 2

// The entity was added.
#define ACM_EVENT_CREATED 0

// The entity was removed; `detail` is 0 deleted by the server, 1 replaced, 2 despawned.
#define ACM_EVENT_DELETED 1

// It could not be placed.
#define ACM_EVENT_NOT_PLACED 2

// A message about it was dropped; `detail` is 0 stale, 1 bad position, 2 the player, 3 unknown, 4 never created, 5 too many
// waiting, 6 too many entities, 7 unreadable, 8 not attached, 9 other. `number` is the number of messages.
#define ACM_EVENT_REJECTED 3

// The player entered (`flag` 1) or left (0) portal space.
#define ACM_EVENT_PORTAL_SPACE 4

// The server took control of the player.
#define ACM_EVENT_CONTROL_LOST 5

// The server requested the player's position.
#define ACM_EVENT_POSITION_REQUESTED 6

// A request made progress: `number` is its id, `detail` its kind (`ACM_REQUEST_…`), `reason` the step
// (`ACM_PROGRESS_…`), `flag` 1 if it was the last. `command` is the motion of `ACM_PROGRESS_ACTING`; `other` is why it was
// cancelled: 0 keys, 1 server, 2 a newer request, 3 the caller, 4 unreachable, 5 the motion failed, 6 an error of the
// server, whose code is `command`, 7 no answer, 8 other.
#define ACM_EVENT_REQUEST 7

// The caller's clock is wrong: `detail` is 0 not a time, 1 set back by `value` seconds.
#define ACM_EVENT_CLOCK 8

// A hook fired: `detail` is its type, `other` the animation, `number` the frame. For `ACM_HOOK_ATTACK`, `command` is the
// part and `value` the reach.
#define ACM_EVENT_HOOK 9

// Looks, sounds, scale or angular velocity changed. `detail` is the type: 0 wave `other`, 1 sound `number` of the sound
// table, 2 any other, which only JSON describes.
#define ACM_EVENT_EFFECT 10

// The motion `command` ended; `flag` is 1 if it played to its end.
#define ACM_EVENT_MOTION_DONE 11

// It came to stand on walkable ground.
#define ACM_EVENT_HIT_GROUND 12

// It left the ground.
#define ACM_EVENT_LEAVE_GROUND 13

// It collided with the surroundings.
#define ACM_EVENT_HIT_ENVIRONMENT 14

// It collided with `other`, or `other` with it.
#define ACM_EVENT_TOUCHED 15

// Its contact with `other` ended.
#define ACM_EVENT_PARTED 16

// It was hidden (`flag` 1) or shown again (0).
#define ACM_EVENT_HIDDEN 17

// Its order made progress: `detail` is one of `ACM_MOVE_TO_…`.
#define ACM_EVENT_MOVE_TO 18

// It was moved to the server's position at once, by `value` metres.
#define ACM_EVENT_SNAPPED 19

// It was teleported by `value` metres.
#define ACM_EVENT_TELEPORTED 20

// It moved to where there is no cell.
#define ACM_EVENT_LOST 21

// Too many motions were pending: `number`.
#define ACM_EVENT_QUEUE_OVERFLOW 22

// It was attached to `other` at the location `number`.
#define ACM_EVENT_PARENTED 23

// It was detached from `other`.
#define ACM_EVENT_UNPARENTED 24

// An event that this version does not name.
#define ACM_EVENT_OTHER 25

// The request waits until the body is ready.
#define ACM_PROGRESS_QUEUED 0

// The request is under way.
#define ACM_PROGRESS_STARTED 1

// The server makes the player play the motion `command`.
#define ACM_PROGRESS_ACTING 2

// An attack hits.
#define ACM_PROGRESS_ATTACK_FRAME 3

// A swing is over.
#define ACM_PROGRESS_SWING_DONE 4

// The server starts the next swing.
#define ACM_PROGRESS_REPEATED 5

// The player has come near enough to the entity that it follows.
#define ACM_PROGRESS_REACHED 6

// The entity has moved away, and the player follows it again.
#define ACM_PROGRESS_RESUMED 7

// The request is fulfilled.
#define ACM_PROGRESS_DONE 8

// The request was not started.
#define ACM_PROGRESS_REFUSED 9

// The request was started and not fulfilled.
#define ACM_PROGRESS_CANCELLED 10

// A step that this version does not name.
#define ACM_PROGRESS_OTHER 11

// The order has started.
#define ACM_MOVE_TO_STARTED 0

// It turns by `command` to the heading `value`.
#define ACM_MOVE_TO_TURNS 1

// It faces the heading `value`.
#define ACM_MOVE_TO_FACES 2

// It moves by `command`.
#define ACM_MOVE_TO_MOVES 3

// It veers by `command`, or goes straight if that is 0.
#define ACM_MOVE_TO_VEERS 4

// It waits for the motion `command` to end.
#define ACM_MOVE_TO_WAITS 5

// The target has sent its position.
#define ACM_MOVE_TO_TARGET 6

// It has arrived.
#define ACM_MOVE_TO_ARRIVED 7

// It sticks to `other`.
#define ACM_MOVE_TO_STICKS 8

// The order failed with the original's error code `number`.
#define ACM_MOVE_TO_FAILED 9

// It gave up.
#define ACM_MOVE_TO_GAVE_UP 10

// A step that this version does not name.
#define ACM_MOVE_TO_OTHER 11

// `AcmOrder::kind`: walk or run to a position.
#define ACM_ORDER_GO_TO 0

// `AcmOrder::kind`: run to an entity, wherever it goes.
#define ACM_ORDER_CHASE 1

// `AcmOrder::kind`: turn to a heading.
#define ACM_ORDER_TURN_TO_HEADING 2

// `AcmOrder::kind`: turn to an entity.
#define ACM_ORDER_FACE 3

// Walk.
#define ACM_PACE_WALK 0

// Run.
#define ACM_PACE_RUN 1

// Run if the goal is far away, as the original does.
#define ACM_PACE_AUTOMATIC 2

// `acm_world_describe`: all of the entity, as `CreateObject`.
#define ACM_DESCRIBE_OBJECT 0

// `acm_world_describe`: its motion, as `UpdateMotion`.
#define ACM_DESCRIBE_MOTION 1

// `acm_world_describe`: its position, as `UpdatePosition`.
#define ACM_DESCRIBE_POSITION 2

// `acm_world_describe`: its velocity, as `VectorUpdate`.
#define ACM_DESCRIBE_VECTOR 3

// `acm_world_describe`: its physics state, as `SetState`.
#define ACM_DESCRIBE_STATE 4

// `acm_world_describe`: the entity that holds it, as `ParentEvent`.
#define ACM_DESCRIBE_PARENT 5

// `acm_world_describe`: that it was picked up, as `PickupEvent`.
#define ACM_DESCRIBE_PICKUP 6

// `acm_world_describe`: that it is deleted, as `DeleteObject`. Ask before it is despawned.
#define ACM_DESCRIBE_DELETE 7

// The maximum number of messages to clients that a world keeps until they are taken.
#define ACM_MAX_BROADCASTS 65536

// `AcmRequest::kind`: walk to `position`.
#define ACM_REQUEST_WALK_TO 0

// `AcmRequest::kind`: turn to `heading`.
#define ACM_REQUEST_TURN_TO 1

// `AcmRequest::kind`: follow `target`.
#define ACM_REQUEST_FOLLOW 2

// `AcmRequest::kind`: jump with the charge `power`, 0 to 1.
#define ACM_REQUEST_JUMP 3

// `AcmRequest::kind`: play the action `command`.
#define ACM_REQUEST_EMOTE 4

// `AcmRequest::kind`: change the stance to `number`: 1 peace, 2 melee, 4 missile, 8 magic.
#define ACM_REQUEST_STANCE 5

// `AcmRequest::kind`: attack `target` with `power`, 0 to 1, at the height `number`: 1 high, 2 medium, 3 low.
#define ACM_REQUEST_ATTACK 6

// `AcmRequest::kind`: cast the spell `number` at `target`, which is 0 for a spell without one.
#define ACM_REQUEST_CAST 7

// `AcmRequest::kind`: use `target`.
#define ACM_REQUEST_USE 8

// `AcmRequest::kind`: use `item` on `target`.
#define ACM_REQUEST_USE_WITH 9

// `AcmRequest::kind`: drop `item`.
#define ACM_REQUEST_DROP 10

// `AcmRequest::kind`: put `item` into the container `target` at slot `number`.
#define ACM_REQUEST_PICK_UP 11

// `AcmRequest::kind`: wield `item` at the location `number`.
#define ACM_REQUEST_WIELD 12

// The kind of a request that this version does not name, in events.
#define ACM_REQUEST_OTHER 13

// `AcmRequest::flags`: turn to `heading` on arrival.
#define ACM_REQUEST_FACING 1

// `AcmRequest::flags`: the height of `position` counts as it is, instead of that of the ground under it.
#define ACM_REQUEST_EXACT_HEIGHT 2

// An honest client can have sent it.
#define ACM_FINDING_OK 0

// Honest, but out of date; it does not count.
#define ACM_FINDING_LATE 1

// The player needed more time than it had.
#define ACM_FINDING_TOO_FAST 2

// The player went through something solid, or is inside it.
#define ACM_FINDING_THROUGH_WALL 3

// The player is where its motion does not lead.
#define ACM_FINDING_TELEPORTED 4

// A jump that is faster than the player's skill allows.
#define ACM_FINDING_JUMP_TOO_HIGH 5

// The player claims to stand where there is no ground.
#define ACM_FINDING_IN_AIR 6

// A field with a value that the original client never sends.
#define ACM_FINDING_IMPOSSIBLE_FLAGS 7

// A number that was used before.
#define ACM_FINDING_STAMP_REPLAYED 8

// A finding that this version does not name.
#define ACM_FINDING_OTHER 9

// The position was not judged.
#define ACM_METHOD_NONE 0

// Judged by the motion that follows from the last report.
#define ACM_METHOD_PREDICTED 1

// Judged by where the server's orders can have led it.
#define ACM_METHOD_ORDERED 2

// Judged by speed and walls alone.
#define ACM_METHOD_REACH 3

// What a call returns. Negative values are errors, whose text `acm_last_error` returns.
enum AcmStatus
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // The call succeeded.
    ACM_STATUS_OK = 0,
    // The call succeeded, and there is no answer: no ground, no such entity, a message of another type.
    ACM_STATUS_NOTHING = 1,
    // A pointer that must not be NULL is.
    ACM_STATUS_NULL_POINTER = -1,
    // A pointer is not aligned for its type.
    ACM_STATUS_MISALIGNED = -2,
    // A buffer is too small. The count says how much is needed, and nothing was changed.
    ACM_STATUS_BUFFER_TOO_SMALL = -3,
    // The field `struct_size` of a structure is not its size: the caller was built for another version.
    ACM_STATUS_STRUCT_SIZE = -4,
    // The handle is 0, was never given out, or was freed.
    ACM_STATUS_BAD_HANDLE = -5,
    // The handle is that of another kind of object.
    ACM_STATUS_WRONG_KIND = -6,
    // An argument is not valid.
    ACM_STATUS_BAD_ARGUMENT = -7,
    // There is no such file, object or entity.
    ACM_STATUS_NOT_FOUND = -8,
    // Bytes are not what they should be: a damaged file, message or snapshot.
    ACM_STATUS_BAD_DATA = -9,
    // The engine refused the request, the key, the spawn or the order.
    ACM_STATUS_REFUSED = -10,
    // A queue or a list is full.
    ACM_STATUS_FULL = -11,
    // A panic was caught, in this call or in an earlier one on the same handle, which can only be freed now.
    ACM_STATUS_PANIC = -12,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum AcmStatus AcmStatus;
#else
typedef int32_t AcmStatus;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// The size of every structure as the caller was compiled with it, for `acm_abi_check`.
typedef struct {
    // `sizeof(AcmLayout)`.
    uint32_t struct_size;
    // `ACM_ABI_VERSION`.
    uint32_t abi_version;
    // `sizeof(AcmVec3)`.
    uint32_t vec3;
    // `sizeof(AcmPosition)`.
    uint32_t position;
    // `sizeof(AcmMatrix)`.
    uint32_t matrix;
    // `sizeof(AcmStyle)`.
    uint32_t style;
    // `sizeof(AcmMotion)`.
    uint32_t motion;
    // `sizeof(AcmMotionQuery)`.
    uint32_t motion_query;
    // `sizeof(AcmTiming)`.
    uint32_t timing;
    // `sizeof(AcmSegment)`.
    uint32_t segment;
    // `sizeof(AcmTimedHook)`.
    uint32_t timed_hook;
    // `sizeof(AcmMessage)`.
    uint32_t message;
    // `sizeof(AcmAction)`.
    uint32_t action;
    // `sizeof(AcmGround)`.
    uint32_t ground;
    // `sizeof(AcmSight)`.
    uint32_t sight;
    // `sizeof(AcmShape)`.
    uint32_t shape;
    // `sizeof(AcmSweep)`.
    uint32_t sweep;
    // `sizeof(AcmWorldSettings)`.
    uint32_t world_settings;
    // `sizeof(AcmEntitySpec)`.
    uint32_t entity_spec;
    // `sizeof(AcmSkills)`.
    uint32_t skills;
    // `sizeof(AcmOrder)`.
    uint32_t order;
    // `sizeof(AcmSpan)`.
    uint32_t span;
    // `sizeof(AcmBatch)`.
    uint32_t batch;
    // `sizeof(AcmRequest)`.
    uint32_t request;
    // `sizeof(AcmEvent)`.
    uint32_t event;
    // `sizeof(AcmView)`.
    uint32_t view;
    // `sizeof(AcmBody)`.
    uint32_t body;
    // `sizeof(AcmPresented)`.
    uint32_t presented;
    // `sizeof(AcmEntityState)`.
    uint32_t entity_state;
    // `sizeof(AcmCheckSettings)`.
    uint32_t check_settings;
    // `sizeof(AcmVerdict)`.
    uint32_t verdict;
} AcmLayout;

// Any handle. 0 is never one.
typedef uint64_t AcmHandle;

// A vector: x is east, y is north, z is up.
typedef struct {
    // To the east, or to the right.
    float x;
    // To the north, or forward.
    float y;
    // Up.
    float z;
} AcmVec3;

// A rotation. All zero is not one; the identity has w = 1.
typedef struct {
    // The real part.
    float w;
    // The x component.
    float x;
    // The y component.
    float y;
    // The z component.
    float z;
} AcmQuat;

// A position: a cell, and an origin in metres and a rotation in the axes of the cell's landblock.
typedef struct {
    // The cell: the landblock in the high half, the cell in the low half.
    uint32_t cell;
    // The origin.
    AcmVec3 origin;
    // The rotation.
    AcmQuat rotation;
} AcmPosition;

// A handle of dat files.
typedef uint64_t AcmAssets;

// A handle of a motion table.
typedef uint64_t AcmTable;

// A style of a motion table.
typedef struct {
    // The style.
    uint32_t style;
    // The substate in which a body stands in this style.
    uint32_t default_substate;
} AcmStyle;

// A motion of a style.
typedef struct {
    // `ACM_MOTION_CYCLE`, `ACM_MOTION_MODIFIER` or `ACM_MOTION_LINK`.
    uint32_t kind;
    // The motion.
    uint32_t motion;
    // For a link, the substate that it starts from; 0 for any.
    uint32_t from;
} AcmMotion;

// A motion in a style, from a substate, at a speed.
typedef struct {
    // `sizeof(AcmMotionQuery)`.
    uint32_t struct_size;
    // The style of the body.
    uint32_t style;
    // The motion that starts.
    uint32_t motion;
    // The substate before it; 0 for the default one of the style.
    uint32_t from;
    // The speed; 1 is normal.
    float speed;
} AcmMotionQuery;

// How long a motion takes.
typedef struct {
    // The time until the cycle starts or the action is done, in seconds.
    double link_seconds;
    // The time of one pass of the cycle, in seconds; 0 if there is none.
    double cycle_seconds;
    // The time of the first attack hook, in seconds from the start of the motion; negative if there is none.
    double first_attack;
    // The substate before the motion.
    uint32_t from;
    // 1 if there is a cycle, else 0.
    uint32_t has_cycle;
    // The number of animations, the cycle included.
    uint32_t segments;
    // The number of hooks.
    uint32_t hooks;
    // The number of attack hooks.
    uint32_t attacks;
    // 0.
    uint32_t reserved;
} AcmTiming;

// One animation of a motion.
typedef struct {
    // The start, in seconds from the start of the motion.
    double start;
    // The duration in seconds.
    double seconds;
    // The animation.
    uint32_t animation;
    // The first frame played.
    int32_t low;
    // The last frame played.
    int32_t high;
    // The rate in frames a second; negative plays backwards.
    float framerate;
    // 1 for the cycle, else 0.
    uint32_t is_cycle;
    // 0.
    uint32_t reserved;
} AcmSegment;

// A hook and the time at which it fires.
typedef struct {
    // The time in seconds from the start of the motion.
    double time;
    // The share of the link, 0 to 1, that has passed by then; negative for hooks of the cycle.
    double share;
    // The animation.
    uint32_t animation;
    // The frame that is left.
    int32_t frame;
    // The number of the hook's type; `ACM_HOOK_ATTACK` hits.
    uint32_t hook;
    // The direction of play in which it fires: 1 forward, -1 backward, 0 both.
    int32_t direction;
    // For an attack: the part that strikes.
    uint32_t part;
    // For an attack: the left edge of its area, x and y.
    float left[2];
    // For an attack: the right edge of its area, x and y.
    float right[2];
    // For an attack: the reach.
    float radius;
    // For an attack: the height.
    float height;
    // 0.
    uint32_t reserved;
} AcmTimedHook;

// One of the movement messages. Fields that its type does not have are 0 when it is decoded, and ignored when it is
// encoded. What is not of interest to motion, such as padding, is not in it and is written as 0.
typedef struct {
    // `sizeof(AcmMessage)`.
    uint32_t struct_size;
    // The type: one of `ACM_MESSAGE_…`. That of the action, if it is a client's.
    uint32_t opcode;
    // `ACM_DIRECTION_S2C` or `ACM_DIRECTION_C2S`.
    uint32_t direction;
    // The sequence number of a client's action.
    uint32_t sequence;
    // The object that the message is about; 0 if it names none.
    uint32_t guid;
    // Which optional fields are present: `ACM_FIELD_…`.
    uint32_t fields;
    // The instance stamp.
    uint16_t instance;
    // The position stamp.
    uint16_t position_stamp;
    // The movement stamp.
    uint16_t movement_stamp;
    // The stamp of movements that the server imposes.
    uint16_t server_control;
    // The teleport stamp.
    uint16_t teleport;
    // The stamp of forced positions.
    uint16_t force_position;
    // The state stamp.
    uint16_t state_stamp;
    // The vector stamp.
    uint16_t vector_stamp;
    // The position.
    AcmPosition position;
    // The flags of a position report as they are on the wire; 4 is grounded. Those of `fields` and of rotation components
    // that are not 0 are set when it is encoded.
    uint32_t position_flags;
    // The placement frame.
    uint32_t placement;
    // The velocity in metres a second. Of a jump, in the player's own axes.
    AcmVec3 velocity;
    // The angular velocity in radians a second.
    AcmVec3 omega;
    // The physics state.
    uint32_t physics_state;
    // Whether the client of the body started the movement: 0 or 1.
    uint32_t autonomous;
    // The contact byte of a client's message; 1 is contact.
    uint32_t contact;
    // The charge of a jump.
    float extent;
    // The two numbers at the end of a short jump.
    uint32_t tail[2];
    // The kind of the movement: one of `ACM_MOVEMENT_…`.
    uint32_t movement_type;
    // The flags of the movement; 2 is a standing long jump.
    uint32_t motion_flags;
    // The style to change to first.
    uint32_t style;
    // Which fields of the motion state are present: `ACM_STATE_…`.
    uint32_t state_fields;
    // Bits of the motion state without a known meaning.
    uint32_t unknown_bits;
    // The hold key: 1 walk, 2 run.
    uint32_t hold_key;
    // The style of the motion state.
    uint32_t current_style;
    // The forward command.
    uint32_t forward_command;
    // Its hold key.
    uint32_t forward_hold_key;
    // Its speed.
    float forward_speed;
    // The sidestep command.
    uint32_t sidestep_command;
    // Its hold key.
    uint32_t sidestep_hold_key;
    // Its speed.
    float sidestep_speed;
    // The turn command.
    uint32_t turn_command;
    // Its hold key.
    uint32_t turn_hold_key;
    // Its speed.
    float turn_speed;
    // The object to stick to; 0 for none.
    uint32_t sticky;
    // The object to move or turn to.
    uint32_t target;
    // The cell to move to.
    uint32_t goal_cell;
    // The point to move to.
    AcmVec3 goal;
    // The heading to turn to if the receiver does not know the object, in degrees.
    float heading;
    // The flags of an order.
    uint32_t move_flags;
    // The distance at which an order has arrived, in metres.
    float distance_to_object;
    // The distance below which the body moves away, in metres.
    float min_distance;
    // The distance at which an order fails, in metres.
    float fail_distance;
    // The speed of an order.
    float speed;
    // The distance from which on the body runs, in metres.
    float walk_run_threshold;
    // The heading on arrival, or to turn to, in degrees.
    float desired_heading;
    // The run rate of the body.
    float run_rate;
} AcmMessage;

// An action in a motion state: a motion that plays once.
typedef struct {
    // The motion.
    uint32_t command;
    // The 15-bit stamp of the action.
    uint32_t stamp;
    // Whether the client started it itself: 0 or 1.
    uint32_t autonomous;
    // The speed.
    float speed;
} AcmAction;

// A handle of a scene.
typedef uint64_t AcmScene;

// What is below a point.
typedef struct {
    // The point of the surface straight below.
    AcmPosition position;
    // The normal of the surface.
    AcmVec3 normal;
    // How deep bodies sink in, in metres.
    float depth;
    // What the surface belongs to: one of `ACM_SURFACE_…`.
    uint32_t surface;
    // The entity, for `ACM_SURFACE_ENTITY`.
    uint32_t entity;
    // 1 if it is flat enough to stand on, else 0.
    uint32_t is_walkable;
} AcmGround;

// What lies between two points.
typedef struct {
    // What is in the way: one of `ACM_SURFACE_…`; `ACM_SURFACE_NONE` if the one point is visible from the other.
    uint32_t surface;
    // The entity, for `ACM_SURFACE_ENTITY`.
    uint32_t entity;
    // The point of the surface.
    AcmPosition position;
    // The normal of the surface.
    AcmVec3 normal;
    // The share of the line, 0 to 1, in front of the surface.
    float share;
} AcmSight;

// The shape of a mover: one or two spheres, and how high it steps.
typedef struct {
    // The number of spheres, 0 to 2.
    uint32_t spheres;
    // The centre of the first sphere.
    AcmVec3 first;
    // The radius of the first sphere, in metres.
    float first_radius;
    // The centre of the second sphere.
    AcmVec3 second;
    // The radius of the second sphere, in metres.
    float second_radius;
    // How high it steps up, in metres.
    float step_up;
    // How far it steps down, in metres.
    float step_down;
    // The radius of the hull, in metres.
    float radius;
    // The height of the hull, in metres.
    float height;
} AcmShape;

// Where a shape arrives.
typedef struct {
    // 1 if it arrived somewhere, 0 if it cannot move at all. All other fields are 0 then, except `is_blocked`.
    uint32_t arrived;
    // Where it arrived.
    AcmPosition position;
    // 1 if it stands on something there, else 0.
    uint32_t has_contact;
    // 1 if something was in its way, else 0.
    uint32_t is_blocked;
    // 1 if it is in a cell there, else 0.
    uint32_t in_cell;
    // The normal of what it collided with; zero if it did not.
    AcmVec3 collision_normal;
} AcmSweep;

// The settings of a world. Call `acm_world_settings_init` first.
typedef struct {
    // `sizeof(AcmWorldSettings)`.
    uint32_t struct_size;
    // The guid of the local player; 0 for none.
    uint32_t player;
    // `ACM_ERA_END_OF_RETAIL` or `ACM_ERA_SEPTEMBER_2013`.
    uint32_t era;
    // `ACM_WORLD_…`.
    uint32_t flags;
    // The time after which messages for an unknown object are dropped, in seconds.
    double waiting_seconds;
    // The maximum number of messages that wait for objects.
    uint64_t waiting_messages;
    // The maximum size of all messages that wait for objects, in bytes.
    uint64_t waiting_bytes;
    // The maximum number of entities.
    uint64_t entities;
    // The maximum number of messages queued for the next frame.
    uint64_t queued_messages;
    // The maximum size of all messages queued for the next frame, in bytes.
    uint64_t queued_bytes;
} AcmWorldSettings;

// A handle of a world.
typedef uint64_t AcmWorld;

// What an entity is made of. Call `acm_entity_spec_init` first.
typedef struct {
    // `sizeof(AcmEntitySpec)`.
    uint32_t struct_size;
    // Its guid, not 0.
    uint32_t guid;
    // The setup (0x02…); 0 for none.
    uint32_t setup;
    // The motion table (0x09…); 0 for none.
    uint32_t motion_table;
    // `ACM_SPEC_…`.
    uint32_t flags;
    // Where it enters the world.
    AcmPosition position;
    // The entity that holds it; 0 for none.
    uint32_t parent;
    // The holding location of the parent: 1 right hand, 2 left hand, 3 shield.
    uint32_t location;
    // The key of its placement frame.
    uint32_t placement;
    // The physics state.
    uint32_t physics_state;
    // Its flags as a mover and an obstacle, those of the original's object info.
    uint32_t mover_flags;
    // The scale.
    float scale;
    // The friction, 0 to 1.
    float friction;
    // The elasticity, 0 to 0.1.
    float elasticity;
    // The translucency, 0 to 1.
    float translucency;
    // The velocity in metres a second.
    AcmVec3 velocity;
    // The angular velocity in radians a second.
    AcmVec3 omega;
    // The style of its first motion.
    uint32_t style;
    // The forward command of its first motion.
    uint32_t forward;
    // The speed of its first motion.
    float forward_speed;
    // The run skill of a player.
    uint32_t run_skill;
    // The jump skill of a player.
    uint32_t jump_skill;
    // The load of a player: 1 is its capacity.
    float load;
    // The stamina of a player.
    uint32_t stamina;
} AcmEntitySpec;

// The state of an entity.
typedef struct {
    // The entity.
    uint32_t guid;
    // `ACM_ENTITY_…`.
    uint32_t flags;
    // Its position.
    AcmPosition position;
    // Its own velocity in metres a second, such as that of a jump.
    AcmVec3 velocity;
    // The velocity that it is shown with, walking included, in metres a second.
    AcmVec3 shown_velocity;
    // Its heading in degrees.
    float heading;
    // Its scale.
    float scale;
    // Its physics state.
    uint32_t physics_state;
    // Its style.
    uint32_t style;
    // The motion that loops.
    uint32_t substate;
    // The speed of that motion.
    float substate_speed;
    // The animation that plays; 0 if none does.
    uint32_t animation;
    // The frame of the animation.
    float frame;
    // The entity that holds it; 0 if none does.
    uint32_t parent;
    // The number of motions that are pending.
    uint32_t pending;
} AcmEntityState;

// What `acm_world_present` writes.
typedef struct {
    // `sizeof(AcmView)`.
    uint32_t struct_size;
    // The cell in whose landblock's axes all matrices are, usually that of the camera.
    uint32_t origin;
    // The share of the time from one tick to the next that has passed, 0 to 1: see `acm_world_presentation_share`. 1 is
    // the last tick.
    float share;
    // `ACM_POSES_SMOOTH` or `ACM_POSES_RETAIL`.
    uint32_t poses;
    // The distance from `centre` within which entities are presented, in metres; 0 for all.
    float distance;
    // The centre, if there is a distance.
    AcmPosition centre;
} AcmView;

// A rotation and a translation as three rows of four numbers: out = rows · (x, y, z, 1).
typedef struct {
    // The rows, one after the other.
    float m[12];
} AcmMatrix;

// A body in a batch of matrices.
typedef struct {
    // The entity.
    uint32_t guid;
    // The index of the matrix of its first part.
    uint32_t first;
    // The number of its parts, one matrix each.
    uint32_t count;
    // Its position.
    AcmPosition position;
} AcmBody;

// How much was presented.
typedef struct {
    // The number of bodies; the number for which there must be room if the buffers are too small.
    uint64_t bodies;
    // The number of matrices, likewise.
    uint64_t matrices;
} AcmPresented;

// Something that happened to an entity. What the fields mean depends on `kind`; those that it does not use are 0.
typedef struct {
    // The time in seconds.
    double time;
    // The entity; 0 if it is about none.
    uint32_t guid;
    // One of `ACM_EVENT_…`.
    uint32_t kind;
    // What exactly.
    uint32_t detail;
    // The step of a request.
    uint32_t reason;
    // Another entity, an animation, a wave.
    uint32_t other;
    // A motion command.
    uint32_t command;
    // A number.
    uint32_t number;
    // A yes (1) or no (0).
    uint32_t flag;
    // A distance, a heading, a time.
    float value;
    // 0.
    uint32_t reserved;
} AcmEvent;

// How much of a queue was taken.
typedef struct {
    // The number of messages or events written.
    uint64_t count;
    // The number of bytes written.
    uint64_t bytes;
    // The number of messages or events that are left at least: call again.
    uint64_t left;
    // The length of the first message that is left, in bytes.
    uint64_t next_length;
} AcmBatch;

// An order to an entity. Call `acm_order_init` first.
typedef struct {
    // `sizeof(AcmOrder)`.
    uint32_t struct_size;
    // One of `ACM_ORDER_…`.
    uint32_t kind;
    // The entity to chase or to face.
    uint32_t target;
    // One of `ACM_PACE_…`, for `ACM_ORDER_GO_TO`.
    uint32_t pace;
    // Where to go.
    AcmPosition position;
    // The heading to turn to, in degrees.
    float heading;
    // The distance at which it has arrived, in metres.
    float distance;
    // The time without progress after which it gives up, in seconds; negative for none.
    float patience;
    // The time for the whole order, in seconds; negative for none.
    float timeout;
} AcmOrder;

// A message in a batch.
typedef struct {
    // The entity that the message is about; 0 if it names none.
    uint32_t guid;
    // The offset of its first byte.
    uint32_t offset;
    // Its length in bytes.
    uint32_t length;
} AcmSpan;

// Something that a player is asked to do. Call `acm_request_init` first.
typedef struct {
    // `sizeof(AcmRequest)`.
    uint32_t struct_size;
    // One of `ACM_REQUEST_…`.
    uint32_t kind;
    // The entity.
    uint32_t target;
    // The item.
    uint32_t item;
    // The action.
    uint32_t command;
    // The stance, height, spell, slot or location.
    uint32_t number;
    // `ACM_REQUEST_FACING`, `ACM_REQUEST_EXACT_HEIGHT`.
    uint32_t flags;
    // One of `ACM_PACE_…`.
    uint32_t pace;
    // The position.
    AcmPosition position;
    // The heading in degrees.
    float heading;
    // The charge of a jump or the power of an attack.
    float power;
    // The distance at which a walk has arrived, or within which the player follows, in metres.
    float distance;
    // How far the entity may go beyond that distance before the player follows again, in metres.
    float slack;
    // The time without progress after which the player gives up, in seconds.
    float patience;
    // The time for the whole request, in seconds; negative for none.
    float timeout;
} AcmRequest;

// What running and jumping depend on.
typedef struct {
    // The run skill.
    uint32_t run_skill;
    // The jump skill.
    uint32_t jump_skill;
    // The load: 1 is the capacity.
    float load;
    // The stamina; at 0 the player runs and jumps as at skill 0.
    uint32_t stamina;
} AcmSkills;

// What a checker tolerates.
typedef struct {
    // `sizeof(AcmCheckSettings)`.
    uint32_t struct_size;
    // `ACM_ERA_END_OF_RETAIL` or `ACM_ERA_SEPTEMBER_2013`.
    uint32_t era;
    // The maximum difference between the delays of two messages of one client, in seconds.
    double latency_spread;
    // The maximum duration of a frame of an honest client, in seconds.
    double max_frame;
    // The time after which a client has received what the server sent, in seconds.
    double grace;
    // The distance by which a report may be off its path, in metres.
    float tolerance;
    // The distance that a player may be farther than it can run when its path is not known, in metres.
    float reach_tolerance;
} AcmCheckSettings;

// A handle of a checker.
typedef uint64_t AcmChecker;

// What a checker says about one message.
typedef struct {
    // The time that an honest client needs from its last report to this one, in seconds.
    double needed;
    // The time by which the client is ahead of the arrival of its messages, in seconds.
    double lead;
    // What was found: one of `ACM_FINDING_…`.
    uint32_t finding;
    // 1 if an honest client could not have sent it, else 0.
    uint32_t is_alarm;
    // How the position was judged: one of `ACM_METHOD_…`.
    uint32_t method;
    // The distance to the nearest position that an honest client could have reported, in metres.
    float error;
    // The error up to which a report is honest, in metres.
    float allowed;
    // 0.
    uint32_t reserved;
} AcmVerdict;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// Returns the version of the library: major in the third byte, minor in the second, patch in the lowest.
uint32_t acm_version(void);

// Checks that the caller was compiled for this library: `ACM_LAYOUT_INIT` in C fills the structure in. Call it once at the
// start. `ACM_STATUS_STRUCT_SIZE` if anything differs.
AcmStatus acm_abi_check(const AcmLayout *layout);

// Writes the text of the last error of this thread, in UTF-8 and without a final 0. Calls that succeed leave it.
AcmStatus acm_last_error(char *buffer, size_t capacity, size_t *length);

// Frees the object of a handle of any kind. A call of another thread that still uses it comes to its end first.
AcmStatus acm_free(AcmHandle handle);

// Sets `count` to the number of objects of all kinds that have not been freed.
AcmStatus acm_live_handles(uint64_t *count);

// Looks up a motion command by its name; case is ignored. `ACM_STATUS_NOTHING` if there is none.
AcmStatus acm_command_find(const char *name, size_t name_length, uint32_t era, uint32_t *command);

// Writes the name of a motion command. `ACM_STATUS_NOTHING` if the era does not list it.
AcmStatus acm_command_name(uint32_t command, uint32_t era, char *buffer, size_t capacity, size_t *length);

// Sets `newer` to 1 if one 16-bit stamp of an object is newer than another, else to 0 (rule D2).
AcmStatus acm_stamp_is_newer(uint16_t stamp, uint16_t old, uint32_t *newer);

// Sets `newer` to 1 if one 15-bit stamp of an action is newer than another, else to 0 (rule E8).
AcmStatus acm_action_stamp_is_newer(uint16_t stamp, uint16_t old, uint32_t *newer);

// Sets `heading` to the heading of a position's rotation, in degrees: 0 is north, 90 is east (rule A4).
AcmStatus acm_position_heading(const AcmPosition *position, float *heading);

// Turns a position to a heading in degrees.
AcmStatus acm_position_set_heading(AcmPosition *position, float heading);

// Sets `distance` to the distance between two positions in metres, across landblocks.
AcmStatus acm_position_distance(const AcmPosition *from, const AcmPosition *to, float *distance);

// Returns the built-in portal file: the mannequin. Free it with `acm_free`.
AcmStatus acm_assets_mannequin(AcmAssets *assets);

// Returns the built-in cell file: the mannequin's town. Free it with `acm_free`.
AcmStatus acm_assets_town(AcmAssets *assets);

// Opens a dat file by its path in UTF-8. Nothing else may change the file while it is open. Free it with `acm_free`.
AcmStatus acm_assets_open(const char *path, size_t path_length, AcmAssets *assets);

// Opens a dat file whose bytes are in memory; they are copied. Free it with `acm_free`.
AcmStatus acm_assets_from_bytes(const uint8_t *bytes, size_t length, AcmAssets *assets);

// Lists the objects of a dat file whose ids lie in a range, in ascending order. Motion tables are 0x09000000 to
// 0x0900FFFF, setups 0x02000000 to 0x0200FFFF, animations 0x03000000 to 0x0300FFFF.
AcmStatus acm_assets_list(AcmAssets assets,
                          uint32_t first,
                          uint32_t last,
                          uint32_t *ids,
                          size_t capacity,
                          size_t *count);

// Returns a named position of the mannequin's town, such as `spawn`, `hall` or `ramp_foot`. `ACM_STATUS_NOTHING` if there
// is no such name.
AcmStatus acm_town_landmark(const char *name,
                            size_t name_length,
                            AcmPosition *position);

// Loads a motion table with its animations. Free it with `acm_free`; it does not need the assets any more.
AcmStatus acm_table_load(AcmAssets assets, uint32_t id, AcmTable *table);

// Lists the styles of a motion table, in the order of the file.
AcmStatus acm_table_styles(AcmTable table, AcmStyle *styles, size_t capacity, size_t *count);

// Lists the motions of a style: cycles, modifiers and links, each in ascending order.
AcmStatus acm_table_motions(AcmTable table,
                            uint32_t style,
                            uint32_t era,
                            AcmMotion *motions,
                            size_t capacity,
                            size_t *count);

// Tells how long a motion takes and when it first hits. `ACM_STATUS_NOT_FOUND` if the table does not have it.
AcmStatus acm_table_timing(AcmTable table, const AcmMotionQuery *query, AcmTiming *timing);

// Lists the animations of a motion in order, the cycle last.
AcmStatus acm_table_segments(AcmTable table,
                             const AcmMotionQuery *query,
                             AcmSegment *segments,
                             size_t capacity,
                             size_t *count);

// Lists the hooks of a motion in the order in which they fire.
AcmStatus acm_table_hooks(AcmTable table,
                          const AcmMotionQuery *query,
                          AcmTimedHook *hooks,
                          size_t capacity,
                          size_t *count);

// Writes a message as the JSON object that `acmotion decode --json` prints, in UTF-8. One that cannot be decoded has the
// field `error`.
AcmStatus acm_wire_decode_json(uint32_t direction,
                               uint32_t era,
                               const uint8_t *bytes,
                               size_t length,
                               char *buffer,
                               size_t capacity,
                               size_t *written);

// Decodes one of the movement messages, and its actions into a buffer of their own. `ACM_STATUS_NOTHING` if it is another
// message; `opcode` and `guid` are set all the same. `ACM_STATUS_BAD_DATA` if it cannot be decoded.
AcmStatus acm_wire_decode(uint32_t direction,
                          uint32_t era,
                          const uint8_t *bytes,
                          size_t length,
                          AcmMessage *message,
                          AcmAction *actions,
                          size_t capacity,
                          size_t *count);

// Encodes one of the movement messages, with its actions, as bytes that start with the opcode.
AcmStatus acm_wire_encode(const AcmMessage *message,
                          const AcmAction *actions,
                          size_t action_count,
                          uint8_t *buffer,
                          size_t capacity,
                          size_t *written);

// Loads all of a cell file. For the game's own files, which are large, see `acm_scene_load_around`. Free it with
// `acm_free`; worlds that use it keep it.
AcmStatus acm_scene_load(AcmAssets portal, AcmAssets cells, AcmScene *scene);

// Loads the landblocks of a cell file around one: `block` is the high half of a cell, `distance` a number of landblocks to
// each side. Landblocks that are missing or damaged are left out.
AcmStatus acm_scene_load_around(AcmAssets portal,
                                AcmAssets cells,
                                uint16_t block,
                                uint8_t distance,
                                AcmScene *scene);

// Sets `height` to that of the land at a position outdoors, in metres. `ACM_STATUS_NOTHING` in a room and where there is
// no land.
AcmStatus acm_scene_height(AcmScene scene,
                           const AcmPosition *position,
                           float *height);

// Tells what is below a position. `ACM_STATUS_NOTHING` if there is nothing.
AcmStatus acm_scene_ground(AcmScene scene, const AcmPosition *position, AcmGround *ground);

// Tells what lies between two positions.
AcmStatus acm_scene_line_of_sight(AcmScene scene, const AcmPosition *from, const AcmPosition *to, AcmSight *sight);

// Sweeps a shape from one position to another; `kind` is `ACM_SWEEP_WALK` or `ACM_SWEEP_FLY`.
AcmStatus acm_scene_sweep(AcmScene scene,
                          const AcmShape *shape,
                          const AcmPosition *from,
                          const AcmPosition *to,
                          uint32_t kind,
                          AcmSweep *sweep);

// Checks whether a body with a shape could stand at a position, and where it would. `ACM_STATUS_NOTHING` if it could not.
AcmStatus acm_scene_can_stand(AcmScene scene,
                              const AcmShape *shape,
                              const AcmPosition *position,
                              AcmPosition *stands_at);

// Returns the shape of a human.
AcmStatus acm_shape_human(AcmShape *shape);

// Returns the shape of a setup (0x02…) of a dat file.
AcmStatus acm_shape_of_setup(AcmAssets assets, uint32_t setup, AcmShape *shape);

// Fills in the default settings: no player, no flags, the limits of `docs/limits.md`.
AcmStatus acm_world_settings_init(AcmWorldSettings *settings);

// Creates an empty world. `scene` is 0 or the land and walls that all bodies move in; without it each body stands on level
// ground where it was last reported. `settings` may be NULL for the default ones. Free it with `acm_free`.
AcmStatus acm_world_new(AcmAssets assets,
                        AcmScene scene,
                        const AcmWorldSettings *settings,
                        AcmWorld *world);

// Creates an independent world in the same state, for rollback and what-if questions. Free it with `acm_free`.
AcmStatus acm_world_clone(AcmWorld world, AcmWorld *clone);

// Replaces the scene of a world, for example when more land has been loaded; 0 for none.
AcmStatus acm_world_set_scene(AcmWorld world, AcmScene scene);

// Fills in a human creature without a guid and a position.
AcmStatus acm_entity_spec_init(AcmEntitySpec *spec);

// Adds an entity, at a time in seconds.
AcmStatus acm_world_spawn(AcmWorld world, const AcmEntitySpec *spec, double now);

// Removes an entity, at a time in seconds.
AcmStatus acm_world_despawn(AcmWorld world, uint32_t guid, double now);

// Queues a message of the server for the next `acm_world_advance`.
AcmStatus acm_world_queue(AcmWorld world, const uint8_t *bytes, size_t length);

// Handles a message of the server at once, at a time in seconds.
AcmStatus acm_world_receive(AcmWorld world, const uint8_t *bytes, size_t length, double now);

// Runs a whole client frame at a time in seconds: advances all entities, handles the queued messages, updates the player.
// `ticked` may be NULL; it is set to 1 if entities were updated, else to 0. Call it once a frame.
AcmStatus acm_world_advance(AcmWorld world,
                            double now,
                            uint32_t *ticked);

// Only advances all entities, without messages and the player. `ticked` as in `acm_world_advance`.
AcmStatus acm_world_tick(AcmWorld world, double now, uint32_t *ticked);

// Writes the whole state of a world. Take it when events and messages have been drained: those that were drained in part
// are not in it.
AcmStatus acm_world_snapshot(AcmWorld world,
                             uint8_t *buffer,
                             size_t capacity,
                             size_t *length);

// Creates the world of a snapshot, with the same assets and scene as the world that it was taken of. Free it with
// `acm_free`. The bytes need not come from a trusted source.
AcmStatus acm_world_restore(const uint8_t *bytes, size_t length, AcmAssets assets, AcmScene scene, AcmWorld *world);

// Writes the states of all entities. The order changes only when an entity is added or removed.
AcmStatus acm_world_entities(AcmWorld world, AcmEntityState *states, size_t capacity, size_t *count);

// Writes the state of an entity.
AcmStatus acm_world_entity(AcmWorld world, uint32_t guid, AcmEntityState *entity);

// Lists the entities within a distance of a position, in metres.
AcmStatus acm_world_within(AcmWorld world,
                           const AcmPosition *position,
                           float distance,
                           uint32_t *guids,
                           size_t capacity,
                           size_t *count);

// Tells what lies between two positions, entities included that `filter` (`ACM_FILTER_…`) names, except those listed.
AcmStatus acm_world_line_of_sight(AcmWorld world,
                                  const AcmPosition *from,
                                  const AcmPosition *to,
                                  uint32_t filter,
                                  const uint32_t *except,
                                  size_t except_count,
                                  AcmSight *sight);

// Sets `share` to the share of the time from one tick to the next that has passed at a time in seconds, 0 to 1.
AcmStatus acm_world_presentation_share(AcmWorld world, double now, float *share);

// Writes the part matrices of all entities that are drawn, one after the other, and the entities with their positions.
// With `ACM_STATUS_BUFFER_TOO_SMALL`, `presented` says how much room is needed, and what the buffers contain is not
// defined. Allocates nothing in a steady world.
AcmStatus acm_world_present(AcmWorld world,
                            const AcmView *view,
                            AcmMatrix *matrices,
                            size_t matrix_capacity,
                            AcmBody *bodies,
                            size_t body_capacity,
                            AcmPresented *presented);

// Takes events, oldest first, as many as there is room for; `batch` says how many, and how many are left. Allocates
// nothing in a steady world.
AcmStatus acm_world_events(AcmWorld world, AcmEvent *events, size_t capacity, AcmBatch *batch);

// Takes all events as a JSON array of the objects that `acmotion replay --json` prints, effects included.
AcmStatus acm_world_events_json(AcmWorld world, char *buffer, size_t capacity, size_t *length);

// Fills in an order to walk to a position that is to be set.
AcmStatus acm_order_init(AcmOrder *order);

// Gives an entity an order, and queues `UpdateMotion` for clients.
AcmStatus acm_world_order(AcmWorld world, uint32_t guid, const AcmOrder *order, double now);

// Makes an entity move as a message with a movement says (`movement_type` and what belongs to it), and queues
// `UpdateMotion` for clients, with new stamps.
AcmStatus acm_world_set_movement(AcmWorld world,
                                 uint32_t guid,
                                 const AcmMessage *movement,
                                 const AcmAction *actions,
                                 size_t action_count,
                                 double now);

// Sets the velocity (metres a second) and the angular velocity (radians a second) of an entity, and queues
// `VectorUpdate` for clients.
AcmStatus acm_world_set_velocity(AcmWorld world,
                                 uint32_t guid,
                                 const AcmVec3 *velocity,
                                 const AcmVec3 *omega,
                                 double now);

// Sets the physics state of an entity, and queues `SetState` for clients.
AcmStatus acm_world_set_state(AcmWorld world, uint32_t guid, uint32_t physics_state, double now);

// Queues a report of an entity's position for clients, with a new stamp. `ACM_STATUS_NOTHING` if it is in no cell.
AcmStatus acm_world_report_position(AcmWorld world, uint32_t guid);

// Teleports an entity, and queues its new position for clients.
AcmStatus acm_world_teleport(AcmWorld world, uint32_t guid, const AcmPosition *position, double now);

// Attaches an entity to another at a holding location (1 right hand, 2 left hand, 3 shield), and queues `ParentEvent` for
// clients.
AcmStatus acm_world_set_parent(AcmWorld world,
                               uint32_t child,
                               uint32_t parent,
                               uint32_t location,
                               uint32_t placement,
                               double now);

// Moves the body of a player as a message of its client says, and queues what other clients have to know: `UpdateMotion`
// for keys, and `VectorUpdate` for a jump. Check the message first (`acm_checker_receive`). `ACM_STATUS_NOTHING` if it is
// not about the player's motion.
AcmStatus acm_world_follow_client(AcmWorld world,
                                  uint32_t player,
                                  const uint8_t *bytes,
                                  size_t length,
                                  uint32_t era,
                                  double now);

// Takes the messages to clients that changes have queued, oldest first: their bytes one after the other, and for each
// where it is. As many as there is room for are taken; `batch` says how many are left.
// `ACM_STATUS_BUFFER_TOO_SMALL` if not even the first one fits.
AcmStatus acm_world_broadcasts(AcmWorld world,
                               uint8_t *bytes,
                               size_t capacity,
                               AcmSpan *spans,
                               size_t span_capacity,
                               AcmBatch *batch);

// Writes the message that describes an entity, or a part of it (`ACM_DESCRIBE_…`), to a client. `name` counts for
// `ACM_DESCRIBE_OBJECT` only. `ACM_STATUS_NOTHING` if it has nothing of the kind. Changes nothing.
AcmStatus acm_world_describe(AcmWorld world,
                             uint32_t guid,
                             uint32_t what,
                             const char *name,
                             size_t name_length,
                             uint8_t *buffer,
                             size_t capacity,
                             size_t *length);

// Fills in a request to walk to a position that is to be set.
AcmStatus acm_request_init(AcmRequest *request);

// Asks the player to do something, and sets `id` to the number under which events report how it goes.
// `ACM_STATUS_REFUSED` if it is refused at once.
AcmStatus acm_player_request(AcmWorld world, const AcmRequest *request, double now, uint32_t *id);

// Ends a request by its number.
AcmStatus acm_player_cancel(AcmWorld world, uint32_t id, double now);

// Presses (`is_down` is not 0) or releases a key, named by its motion command, such as `WalkForward` or `Jump`.
// `ACM_STATUS_REFUSED` if the motion is refused; the key counts as pressed all the same.
AcmStatus acm_player_key(AcmWorld world, uint32_t command, uint32_t is_down, double now);

// Presses or releases the dedicated run key.
AcmStatus acm_player_hold_run(AcmWorld world, uint32_t is_held, double now);

// Switches mouse look on or off.
AcmStatus acm_player_mouse_look(AcmWorld world, uint32_t is_on, double now);

// Turns the player by a movement of the mouse, to the right or, if it is negative, to the left.
AcmStatus acm_player_mouse_turn(AcmWorld world, float movement, double now);

// Releases all keys, because the keyboard belongs to another window now.
AcmStatus acm_player_lose_focus(AcmWorld world, double now);

// Sets `power` to the charge of the jump at a time, 0 to 1. `ACM_STATUS_NOTHING` if none is being charged.
AcmStatus acm_player_jump_power(AcmWorld world, double now, float *power);

// Sets the skills that running and jumping depend on. A server's description of the player sets them, too.
AcmStatus acm_player_set_skills(AcmWorld world, const AcmSkills *skills, double now);

// Sets `position` to that of the player. `ACM_STATUS_NOTHING` if there is none.
AcmStatus acm_player_position(AcmWorld world, AcmPosition *position);

// Takes the messages that the player's client sends to the server, oldest first, as `acm_world_broadcasts` does those to
// clients.
AcmStatus acm_world_outbound(AcmWorld world,
                             uint8_t *bytes,
                             size_t capacity,
                             AcmSpan *spans,
                             size_t span_capacity,
                             AcmBatch *batch);

// Fills in the settings that were measured to be right.
AcmStatus acm_check_settings_init(AcmCheckSettings *settings);

// Creates a checker of the client of one player. `scene` is 0 or the land that players move in; without it only speed,
// jumps, fields and stamps are checked. Free it with `acm_free`.
AcmStatus acm_checker_new(AcmAssets assets,
                          AcmScene scene,
                          uint32_t player,
                          const AcmCheckSettings *settings,
                          AcmChecker *checker);

// Records a message that the server sends to the client, at the time of sending, in seconds.
AcmStatus acm_checker_sent(AcmChecker checker, const uint8_t *bytes, size_t length, double now);

// Checks a message of the client, at the time of its arrival, in seconds. `ACM_STATUS_NOTHING` if it does not concern the
// player's motion.
AcmStatus acm_checker_receive(AcmChecker checker,
                              const uint8_t *bytes,
                              size_t length,
                              double now,
                              AcmVerdict *verdict);

// Writes the last finding of a checker in words, such as `too fast: 1.40 s of motion in 1.00 s`.
AcmStatus acm_checker_text(AcmChecker checker, char *buffer, size_t capacity, size_t *length);

// Starts (`is_on` is not 0) or stops recording why an entity moves as it does.
AcmStatus acm_world_explain(AcmWorld world, uint32_t guid, uint32_t is_on);

// Writes why an entity moved as it did in its last step, as a JSON object. `ACM_STATUS_NOTHING` if that is not recorded.
AcmStatus acm_world_explanation_json(AcmWorld world,
                                     uint32_t guid,
                                     char *buffer,
                                     size_t capacity,
                                     size_t *length);

// Writes the state of an entity as the JSON object that `acmotion replay --json` prints for a tick.
AcmStatus acm_world_state_json(AcmWorld world,
                               uint32_t guid,
                               double now,
                               char *buffer,
                               size_t capacity,
                               size_t *length);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

/* The layout of the caller, for acm_abi_check:
 *
 *     AcmLayout layout = ACM_LAYOUT_INIT;
 *     if (acm_abi_check(&layout) != ACM_STATUS_OK) ...
 */
#define ACM_LAYOUT_INIT { \
    (uint32_t)sizeof(AcmLayout), ACM_ABI_VERSION, \
    (uint32_t)sizeof(AcmVec3), (uint32_t)sizeof(AcmPosition), \
    (uint32_t)sizeof(AcmMatrix), (uint32_t)sizeof(AcmStyle), \
    (uint32_t)sizeof(AcmMotion), (uint32_t)sizeof(AcmMotionQuery), \
    (uint32_t)sizeof(AcmTiming), (uint32_t)sizeof(AcmSegment), \
    (uint32_t)sizeof(AcmTimedHook), (uint32_t)sizeof(AcmMessage), \
    (uint32_t)sizeof(AcmAction), (uint32_t)sizeof(AcmGround), \
    (uint32_t)sizeof(AcmSight), (uint32_t)sizeof(AcmShape), \
    (uint32_t)sizeof(AcmSweep), (uint32_t)sizeof(AcmWorldSettings), \
    (uint32_t)sizeof(AcmEntitySpec), (uint32_t)sizeof(AcmSkills), \
    (uint32_t)sizeof(AcmOrder), (uint32_t)sizeof(AcmSpan), \
    (uint32_t)sizeof(AcmBatch), (uint32_t)sizeof(AcmRequest), \
    (uint32_t)sizeof(AcmEvent), (uint32_t)sizeof(AcmView), \
    (uint32_t)sizeof(AcmBody), (uint32_t)sizeof(AcmPresented), \
    (uint32_t)sizeof(AcmEntityState), (uint32_t)sizeof(AcmCheckSettings), \
    (uint32_t)sizeof(AcmVerdict), \
}
