// Names over heads: HTML, so that they are sharp and read out.

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
  private readonly kept = new Map<string, Label>();
  private readonly used = new Set<string>();
  private readonly point = new Vector3();

  begin(): void {
    this.used.clear();
  }

  put(key: string, text: string, kind: string, x: number, y: number, z: number, camera: PerspectiveCamera, reach = 45): void {
    this.point.set(x, y, z);
    if (this.point.distanceTo(camera.position) > reach) return;
    this.point.project(camera);
    if (this.point.z > 1 || Math.abs(this.point.x) > 1.1 || Math.abs(this.point.y) > 1.1) return;
    const place = this.element.parentElement;
    if (!place) return;
    let label = this.kept.get(key);
    if (!label) {
      label = { element: h("div", { class: "label" }), text: "", kind: "", width: 0, height: 0 };
      this.kept.set(key, label);
      this.element.append(label.element);
    }
    this.used.add(key);
    this.write(label, text, kind);
    const left = ((this.point.x + 1) / 2) * place.clientWidth;
    const top = ((1 - this.point.y) / 2) * place.clientHeight;
    label.element.style.transform = `translate(${Math.round(left - label.width / 2)}px, ${Math.round(top - label.height)}px)`;
  }

  /** Measures only what changed: reading sizes each frame would lay out the page each frame. */
  private write(label: Label, text: string, kind: string): void {
    const shown = !label.element.hidden;
    if (label.text === text && label.kind === kind && shown) return;
    label.element.hidden = false;
    label.element.textContent = text;
    label.element.className = `label ${kind}`;
    Object.assign(label, { text, kind, width: label.element.offsetWidth, height: label.element.offsetHeight });
  }

  end(): void {
    for (const [key, label] of this.kept) if (!this.used.has(key)) label.element.hidden = true;
  }
}
