// Names over heads: HTML, so that they are sharp and read out.

import { Vector3, type PerspectiveCamera } from "three";
import { h, say } from "../ui/dom";

export class Labels {
  readonly element = h("div", { class: "labels", "aria-hidden": "true" });
  private readonly kept = new Map<string, HTMLElement>();
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
      label = h("div", { class: "label" });
      this.kept.set(key, label);
      this.element.append(label);
    }
    this.used.add(key);
    say(label, text);
    label.className = `label ${kind}`;
    const left = ((this.point.x + 1) / 2) * place.clientWidth;
    const top = ((1 - this.point.y) / 2) * place.clientHeight;
    label.style.transform = `translate(${Math.round(left - label.offsetWidth / 2)}px, ${Math.round(top - label.offsetHeight)}px)`;
  }

  end(): void {
    for (const [key, label] of this.kept) label.hidden = !this.used.has(key);
  }
}
