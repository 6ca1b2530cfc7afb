// `@acmotion/engine/full`: everything of `@acmotion/engine`, and replays, simulations, snapshots and the check of clients. The
// module is larger. A program uses one of the two: the objects of one are not those of the other.

export * from "./index.js";
export { restore, snapshot } from "./snapshots.js";
export { MOVE_KINDS, replay, simulate } from "./runs.js";
export type {
  Accuracy,
  ErrorTable,
  ReceivedMessage,
  ReplayOptions,
  ReplayResult,
  ReportTable,
  SentMessage,
  SimulateOptions,
  SimulationResult,
  StateTable,
} from "./runs.js";
export { Checker, type CheckerOptions, type Verdict } from "./checker.js";
