// A stick and buttons to jump and attack on the screen, for devices without a keyboard.

import type { Key } from "../protocol";
import { h } from "../ui/dom";

/** How far the stick moves from its centre, in pixels. */
const REACH = 44;
/** The share of the reach from which on a direction counts. */
const DEAD_ZONE = 0.35;

/** The keys that a direction holds down; x is right and y is down, from -1 to 1. */
export function heldKeys(x: number, y: number): Key[] {
  const keys: Key[] = [];
  if (y < -DEAD_ZONE) keys.push("forward");
  if (y > DEAD_ZONE) keys.push("backward");
  if (x < -DEAD_ZONE) keys.push("turn_left");
  if (x > DEAD_ZONE) keys.push("turn_right");
  return keys;
}

/** Returns the element. `send` is called when a key goes down or up, `attack` when the attack button does. */
export function touchPad(send: (key: Key, on: boolean) => void, attack: (on: boolean) => void): HTMLElement {
  const knob = h("i", {});
  const stick = h("div", { class: "stick", role: "application", "aria-label": "Move: drag up to run, sideways to turn" }, knob);
  const jump = holdButton("jump", "Jump: hold to charge, release to jump", "Jump", (on) => send("jump", on));
  const strike = holdButton("strike", "Attack: hold for power, release to attack", "Attack", attack);
  let held: Key[] = [];
  const hold = (keys: Key[]) => {
    for (const key of held) if (!keys.includes(key)) send(key, false);
    for (const key of keys) if (!held.includes(key)) send(key, true);
    held = keys;
  };
  const move = (event: PointerEvent) => {
    if (!stick.hasPointerCapture(event.pointerId)) return;
    const box = stick.getBoundingClientRect();
    const clamp = (value: number) => Math.max(-1, Math.min(1, value / REACH));
    const [x, y] = [clamp(event.clientX - box.left - box.width / 2), clamp(event.clientY - box.top - box.height / 2)];
    knob.style.transform = `translate(${x * REACH}px, ${y * REACH}px)`;
    hold(heldKeys(x, y));
  };
  const release = () => {
    knob.style.transform = "";
    hold([]);
  };
  stick.addEventListener("pointerdown", (event) => {
    stick.setPointerCapture(event.pointerId);
    move(event);
  });
  stick.addEventListener("pointermove", move);
  stick.addEventListener("pointerup", release);
  stick.addEventListener("pointercancel", release);
  return h("div", { class: "touch-pad" }, stick, strike, jump);
}

/** A button that is held down. */
function holdButton(name: string, label: string, text: string, hold: (on: boolean) => void): HTMLElement {
  const button = h("button", { class: `hold ${name}`, "aria-label": label }, text);
  let isHeld = false;
  const release = () => {
    if (isHeld) hold(false);
    isHeld = false;
  };
  button.addEventListener("pointerdown", (event) => {
    button.setPointerCapture(event.pointerId);
    isHeld = true;
    hold(true);
  });
  button.addEventListener("pointerup", release);
  button.addEventListener("pointercancel", release);
  return button;
}
