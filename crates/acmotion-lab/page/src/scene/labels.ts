// Labels above bodies. They are HTML, so that the text is sharp.

import { Vector3, type PerspectiveCamera } from "three";
import { h } from "../ui/dom";

interface Label {
  element: HTMLElement;
  text: string;
  kind: string;
  width: number;
  height: number;
}

export class Labels {
  readonly element = h("div", { class: "labels", "aria-hidden": "true" });
  private readonly labels = new Map<string | number, Label>();
  private readonly used = new Set<string | number>();
  private readonly point = new Vector3();

  /** Starts a frame: call `show` for each label, then `end`. */
  begin(): void {
    this.used.clear();
  }

  /** Shows a label above a point, unless that is out of sight or more than `maxDistance` metres away. */
  show(key: string | number, text: string, kind: string, x: number, y: number, z: number, camera: PerspectiveCamera, maxDistance = 45): void {
    this.point.set(x, y, z);
    if (this.point.distanceTo(camera.position) > maxDistance) return;
    this.point.project(camera);
    if (this.point.z > 1 || Math.abs(this.point.x) > 1.1 || Math.abs(this.point.y) > 1.1) return;
    const parent = this.element.parentElement;
    if (!parent) return;
    let label = this.labels.get(key);
    if (!label) {
      label = { element: h("div", { class: "label" }), text: "", kind: "", width: 0, height: 0 };
      this.labels.set(key, label);
      this.element.append(label.element);
    }
    this.used.add(key);
    this.update(label, text, kind);
    const width = parent.clientWidth;
    const middle = ((this.point.x + 1) / 2) * width;
    // Whole, even if what it belongs to is at the edge.
    const left = Math.max(2, Math.min(width - label.width - 2, middle - label.width / 2));
    const top = ((1 - this.point.y) / 2) * parent.clientHeight - label.height;
    label.element.style.transform = `translate(${Math.round(left)}px, ${Math.round(top)}px)`;
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
