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

/** How far the markers stay away from the edges, in pixels: the readout is at the top, hints and the stick at the bottom. */
const MARGIN = { x: 66, top: 150, bottom: 140 };
/** The share of the picture's width and height within which something is in sight. */
const SIGHT = 0.98;
/** How far down markers of things behind the camera are, as a share of the height. */
const BEHIND = 0.6;
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
    const isRight = this.point.x > 0;
    this.point.applyMatrix4(camera.projectionMatrix);
    const { x, y } = this.point;
    const isInSight = !isBehind && Math.abs(x) < SIGHT && Math.abs(y) < SIGHT;
    if (isInSight && distance < LABEL_DISTANCE) return;
    const marker = this.marker(key);
    marker.isUsed = true;
    setText(marker.text, `${name} ${metres(distance, 0)}`);
    marker.arrow.hidden = isInSight;
    const clamp = (value: number, low: number, high: number) => Math.max(low, Math.min(high, value));
    const across = clamp(((1 + x) / 2) * width, MARGIN.x, width - MARGIN.x);
    const down = clamp(((1 - y) / 2) * height, MARGIN.top, height - MARGIN.bottom);
    // What is above or below the picture is at its upper or lower edge, everything else at its sides.
    const isBeside = isBehind || Math.abs(x) >= SIGHT;
    const left = isInSight || !isBeside ? across : isRight ? width - MARGIN.x : MARGIN.x;
    const top = isBehind ? height * BEHIND : down;
    const angle = isBehind ? (isRight ? 45 : 135) : isBeside ? (isRight ? 0 : 180) : y > 0 ? -90 : 90;
    marker.arrow.style.transform = `rotate(${angle}deg)`;
    const place = this.free(Math.round(left), Math.round(top));
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
