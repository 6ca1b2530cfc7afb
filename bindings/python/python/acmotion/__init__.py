"""The motion engine of Asheron's Call.

Dat files, network messages and key presses go in; positions, poses, hooks and outgoing messages come out.

    import acmotion

    table = acmotion.Assets.mannequin().motion_table()
    slash = table.motion("SwordCombat", "SlashHigh")
    print(slash.length, [(hit.time, hit.share) for hit in slash.attacks])

    for message in acmotion.decode("walk.pcap"):
        print(message.time, message.name, message.position)

    result = acmotion.replay("walk.pcap")
    print(result.events.to_pandas().query("event == 'snap'"))

Times are in seconds, distances in metres, headings in degrees clockwise from north. Guids, cells, motions and styles are
whole numbers; wherever a motion is expected, its name will do.
"""

from __future__ import annotations

from ._bodies import Bodies
from ._native import (
    Assets,
    CaptureError,
    Checker,
    DatError,
    Decoder,
    DecodeError,
    Entity,
    Error,
    Event,
    Ground,
    Hook,
    LimitError,
    Message,
    MotionTable,
    Obstruction,
    Order,
    PlacementError,
    Player,
    Position,
    ReplayResult,
    RequestError,
    RestoreError,
    Scenario,
    ScenarioError,
    Scene,
    SceneError,
    Segment,
    SimulationResult,
    SpawnError,
    Sweep,
    Table,
    Timing,
    UndefinedMotion,
    Verdict,
    World,
    check_scenario,
    decode,
    decode_message,
    decode_table,
    landmarks,
    motion_id,
    motion_name,
    replay,
    simulate,
    write_capture,
)

__all__ = [
    "Assets",
    "Bodies",
    "CaptureError",
    "Checker",
    "DatError",
    "DecodeError",
    "Decoder",
    "Entity",
    "Error",
    "Event",
    "Ground",
    "Hook",
    "LimitError",
    "Message",
    "MotionTable",
    "Obstruction",
    "Order",
    "PlacementError",
    "Player",
    "Position",
    "ReplayResult",
    "RequestError",
    "RestoreError",
    "Scenario",
    "ScenarioError",
    "Scene",
    "SceneError",
    "Segment",
    "SimulationResult",
    "SpawnError",
    "Sweep",
    "Table",
    "Timing",
    "UndefinedMotion",
    "Verdict",
    "World",
    "check_scenario",
    "decode",
    "decode_message",
    "decode_table",
    "landmarks",
    "motion_id",
    "motion_name",
    "replay",
    "simulate",
    "write_capture",
]
