// Texts for the parts of an entity's state.

import type { Explanation, MotionInput, MotionSpeed } from "../protocol";
import type { Vec3 } from "../tick";
import { commandName, count, humanise, metres, number, speed } from "../ui/format";
import type { EntityNames } from "./names";

/** A part of the state: its name and its text. */
export type StateField = [string, (explanation: Explanation, nameOf: EntityNames) => string];

const motionText = ({ motion, speed: rate }: MotionSpeed) => `${humanise(commandName(motion))} × ${number(rate)}`;
const motionsText = (motions: MotionSpeed[]) => motions.map(motionText).join(", ") || "none";

function inputText(input: MotionInput | null): string {
  if (!input) return "not recorded";
  const moves = [input.forward, input.sidestep, input.turn].filter(({ motion }) => Number(motion.id) !== 0);
  const text = moves.map(motionText).join(", ") || "none";
  return input.hold_run ? `${text} (run held)` : text;
}

export function velocityText(value: Vec3 | null): string {
  return value ? `${speed(Math.hypot(...value))}  (${value.map((v) => number(v)).join(", ")})` : "–";
}

function interpolationText({ interpolation }: Explanation): string {
  if (!interpolation) return "not recorded";
  const { nodes, fails } = interpolation;
  return `${nodes.length === 0 ? "no nodes" : count(nodes.length, "node")}${fails ? `, ${fails} failed` : ""}`;
}

export function constraintText({ constraint }: Explanation): string {
  if (!constraint) return "off";
  const { offset, start, max } = constraint;
  const range = start === null || max === null ? "" : `; slack to ${metres(start, 0)}, limit ${metres(max, 0)}`;
  return `${metres(offset)} moved${range}`;
}

export function moveToText({ move_to: moveTo }: Explanation): string {
  if (!moveTo) return "no order";
  const wait = moveTo.waits_for ? ` (waiting: ${moveTo.waits_for})` : "";
  return `${humanise(moveTo.kind)}, ${metres(moveTo.distance)} to go${wait}`;
}

/** What moves a body. */
export const MOTION: StateField[] = [
  ["Style", ({ style }) => humanise(commandName(style))],
  ["Substate", ({ substate, substate_speed: rate }) => `${humanise(commandName(substate))} × ${number(rate)}`],
  ["Modifiers", ({ modifiers }) => motionsText(modifiers)],
  ["Actions", ({ actions }) => motionsText(actions)],
  ["Raw input", ({ raw }) => inputText(raw)],
  ["Interpreted", ({ interpreted }) => inputText(interpreted)],
];

/** What a body has besides its motion. */
export const BODY: StateField[] = [
  ["Interpolation", interpolationText],
  ["Sticks to", ({ sticky }, nameOf) => (sticky ? nameOf(sticky) : "nothing")],
  ["Held by", ({ holder }, nameOf) => (holder ? nameOf(holder) : "nothing")],
  ["Scale", ({ scale }) => number(scale)],
  ["Physics state", ({ physics }) => physics || (physics === null ? "not recorded" : "none")],
];
