// Labels above bodies. They are HTML, so that the text is sharp.

import { Vector3, type PerspectiveCamera } from "three";
import { h } from "../ui/dom";

interface Label {
  element: HTMLElement;
  text: string;
  kind: string;
  width: number;
  height: number;
  /** Where it is in this frame, in pixels. */
  left: number;
  top: number;
}

/** The space between two labels, in pixels. */
const GAP = 3;

export class Labels {
  readonly element = h("div", { class: "labels", "aria-hidden": "true" });
  private readonly labels = new Map<string | number, Label>();
  private readonly used = new Set<string | number>();
  /** The labels of this frame. */
  private readonly placed: Label[] = [];
  private readonly point = new Vector3();
  /** The size of the scene in this frame, in pixels. Asking for it after a label has moved would lay out the page again. */
  private width = 0;
  private height = 0;

  /** Starts a frame: call `show` for each label, then `end`. */
  begin(): void {
    this.used.clear();
    this.placed.length = 0;
    this.width = this.element.parentElement?.clientWidth ?? 0;
    this.height = this.element.parentElement?.clientHeight ?? 0;
  }

  /**
   * Shows a label above a point, unless that is out of sight or more than `maxDistance` metres away. If another label of this
   * frame is there, it is put above that one.
   */
  show(key: string | number, text: string, kind: string, x: number, y: number, z: number, camera: PerspectiveCamera, maxDistance = 45): void {
    this.point.set(x, y, z);
    if (this.point.distanceTo(camera.position) > maxDistance) return;
    this.point.project(camera);
    if (this.point.z > 1 || Math.abs(this.point.x) > 1.1 || Math.abs(this.point.y) > 1.1) return;
    let label = this.labels.get(key);
    if (!label) {
      label = { element: h("div", { class: "label" }), text: "", kind: "", width: 0, height: 0, left: 0, top: 0 };
      this.labels.set(key, label);
      this.element.append(label.element);
    }
    this.used.add(key);
    this.update(label, text, kind);
    const { width } = this;
    const middle = ((this.point.x + 1) / 2) * width;
    // Whole, even if what it belongs to is at the edge.
    label.left = Math.round(Math.max(2, Math.min(width - label.width - 2, middle - label.width / 2)));
    label.top = Math.round(((1 - this.point.y) / 2) * this.height - label.height);
    this.moveAbove(label);
    label.element.style.transform = `translate(${label.left}px, ${label.top}px)`;
  }

  /** Moves a label up until it covers no other one. */
  private moveAbove(label: Label): void {
    const covers = (other: Label) =>
      label.left < other.left + other.width + GAP && other.left < label.left + label.width + GAP && label.top < other.top + other.height + GAP && other.top < label.top + label.height + GAP;
    // Each step goes above another one, so there are at most as many steps as labels.
    for (let other = this.placed.find(covers); other; other = this.placed.find(covers)) label.top = other.top - label.height - GAP;
    this.placed.push(label);
  }

  /** Measures only labels that changed: measuring all of them would lay out the page in each frame. */
  private update(label: Label, text: string, kind: string): void {
    if (label.text === text && label.kind === kind && !label.element.hidden) return;
    label.element.hidden = false;
    label.element.textContent = text;
    label.element.className = `label ${kind}`;
    Object.assign(label, { text, kind, width: label.element.offsetWidth, height: label.element.offsetHeight });
  }

  /** Hides the labels that were not shown since `begin`. */
  end(): void {
    for (const [key, label] of this.labels) if (!this.used.has(key)) label.element.hidden = true;
  }
}
