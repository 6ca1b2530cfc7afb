// Markers at the edge of the scene that show where something out of sight is, and how far away.

import { Vector3, type PerspectiveCamera } from "three";
import { h, setText } from "../ui/dom";
import { metres } from "../ui/format";

export interface MarkedThing {
  key: string;
  name: string;
  /** The point above it, in the scene's coordinates. */
  point: readonly [number, number, number];
  /** Metres. */
  distance: number;
}

interface Marker {
  element: HTMLButtonElement;
  arrow: HTMLElement;
  text: HTMLElement;
  isUsed: boolean;
}

/** How far the markers stay away from the edges, in pixels. */
const MARGIN = { x: 78, top: 30, bottom: 100 };
/** Markers nearer to each other than this are put above each other, in pixels. */
const SIZE = { x: 130, y: 30 };
/** Labels show what is nearer than this and in sight, in metres. */
const LABEL_DISTANCE = 45;

export class Markers {
  readonly element = h("div", { class: "markers" });
  private readonly markers = new Map<string, Marker>();
  private readonly point = new Vector3();
  /** Where the markers of this frame are. */
  private readonly places: { x: number; y: number }[] = [];

  /** `onClick` is called with the key of the thing whose marker was clicked. */
  constructor(private readonly onClick: (key: string) => void) {}

  show(things: MarkedThing[], camera: PerspectiveCamera): void {
    for (const marker of this.markers.values()) marker.isUsed = false;
    this.places.length = 0;
    const parent = this.element.parentElement;
    if (parent) for (const thing of things) this.place(thing, camera, parent.clientWidth, parent.clientHeight);
    for (const marker of this.markers.values()) marker.element.hidden = !marker.isUsed;
  }

  private place({ key, name, point, distance }: MarkedThing, camera: PerspectiveCamera, width: number, height: number): void {
    const isBehind = this.point.set(...point).applyMatrix4(camera.matrixWorldInverse).z > 0;
    this.point.applyMatrix4(camera.projectionMatrix);
    const sign = isBehind ? -1 : 1;
    let [x, y] = [sign * this.point.x, sign * this.point.y];
    const isInSight = !isBehind && Math.abs(x) < 0.98 && Math.abs(y) < 0.98;
    if (isInSight && distance < LABEL_DISTANCE) return;
    // Outward to the edge: what is behind the camera is at the bottom.
    if (isBehind) y = Math.min(y, -Math.abs(x) * 0.4 - 0.05);
    const [left, right, top, bottom] = [MARGIN.x, width - MARGIN.x, MARGIN.top, height - MARGIN.bottom];
    const [centreX, centreY] = [width / 2, height / 2];
    let [dx, dy] = [(x * width) / 2, (-y * height) / 2];
    if (!isInSight) {
      const reach = Math.min(Math.abs((dx > 0 ? right - centreX : centreX - left) / (dx || 1e-6)), Math.abs((dy > 0 ? bottom - centreY : centreY - top) / (dy || 1e-6)));
      [dx, dy] = [dx * reach, dy * reach];
    }
    const marker = this.marker(key);
    marker.isUsed = true;
    setText(marker.text, `${name} ${metres(distance, 0)}`);
    marker.arrow.style.transform = `rotate(${Math.round((Math.atan2(dy, dx) * 180) / Math.PI)}deg)`;
    marker.arrow.hidden = isInSight;
    const place = this.free(Math.round(centreX + dx), Math.round(centreY + dy));
    marker.element.style.transform = `translate(${place.x}px, ${place.y}px) translate(-50%, -50%)`;
  }

  /** Takes a place, or the first one above it where no other marker is. */
  private free(x: number, y: number): { x: number; y: number } {
    const isTaken = () => this.places.some((other) => Math.abs(other.x - x) < SIZE.x && Math.abs(other.y - y) < SIZE.y);
    while (isTaken()) y -= SIZE.y;
    const place = { x, y };
    this.places.push(place);
    return place;
  }

  private marker(key: string): Marker {
    const known = this.markers.get(key);
    if (known) return known;
    const arrow = h("i", { "aria-hidden": "true" }, "➤");
    const text = h("span", {});
    const element = h("button", { class: "marker", "data-marker": key, title: "Look there", onclick: () => this.onClick(key) }, arrow, text);
    const marker = { element, arrow, text, isUsed: false };
    this.markers.set(key, marker);
    this.element.append(element);
    return marker;
  }
}
