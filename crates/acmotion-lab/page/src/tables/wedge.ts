// The area that an attack reaches, drawn in place: a wedge on the ground in front of the body, with its outline at the height
// of the blow.

import { BufferAttribute, BufferGeometry, DoubleSide, Group, LineBasicMaterial, LineLoop, LineSegments, Mesh, MeshBasicMaterial } from "three";
import type { Clip } from "../protocol";
import { colour, onTheme } from "../ui/theme";

/** How long before and after a hit the wedge is filled, in seconds. */
const HIT_SECONDS = 0.15;
/** How far above the ground the wedge is filled, in metres. */
const GROUND = 0.02;
/** The number of triangles of a wedge. */
const STEPS = 24;

/** The part of an attack hook's payload that describes the area. */
interface Cone {
  left: [number, number];
  right: [number, number];
  radius: number;
  height: number;
}

function isCone(payload: unknown): payload is Cone {
  const cone = payload as Partial<Cone> | null;
  return Array.isArray(cone?.left) && Array.isArray(cone?.right) && typeof cone?.radius === "number" && typeof cone?.height === "number";
}

export class Wedges {
  readonly group = new Group();
  private readonly fill = new MeshBasicMaterial({ transparent: true, depthWrite: false, side: DoubleSide });
  private readonly line = new LineBasicMaterial({ transparent: true, opacity: 0.8 });
  private wedges: { time: number; mesh: Mesh; reach: number }[] = [];

  constructor() {
    onTheme(() => {
      this.fill.color.set(colour("bad"));
      this.line.color.set(colour("bad"));
    });
  }

  /** Shows the wedges of a clip's attacks; null for none. */
  load(clip: Clip | null): void {
    for (const object of [...this.group.children]) (object as Mesh).geometry.dispose();
    this.group.clear();
    const attacks = (clip?.hooks ?? []).filter((hook) => hook.kind === "Attack");
    this.wedges = attacks.flatMap(({ time, payload }) => {
      if (!isCone(payload)) return [];
      const points = outline(payload);
      const below = points.map(([x, y]): [number, number, number] => [x, y, GROUND]);
      const mesh = new Mesh(fan(below), this.fill.clone());
      const edges = new LineSegments(geometry([0, 1, points.length - 1].flatMap((corner) => [points[corner]!, below[corner]!])), this.line);
      this.group.add(mesh, edges, new LineLoop(geometry(points), this.line));
      return [{ time, mesh, reach: payload.radius }];
    });
  }

  /** Puts the wedges where the body is, and fills those that hit at a time. */
  update(time: number, x: number, y: number, z: number, heading: number): void {
    this.group.position.set(x, y, z);
    this.group.rotation.z = heading;
    for (const { time: hit, mesh } of this.wedges) {
      const material = mesh.material as MeshBasicMaterial;
      material.color.copy(this.fill.color);
      material.opacity = Math.abs(time - hit) < HIT_SECONDS ? 0.45 : 0.1;
    }
  }

  get count(): number {
    return this.wedges.length;
  }

  /** How far the longest wedge reaches, in metres; 0 if there is none. */
  get reach(): number {
    return Math.max(0, ...this.wedges.map(({ reach }) => reach));
  }
}

/** The corners of a wedge: the body, then the arc from the left edge to the right one. */
function outline({ left, right, radius, height }: Cone): [number, number, number][] {
  const [from, to] = [Math.atan2(left[1], left[0]), Math.atan2(right[1], right[0])];
  const points: [number, number, number][] = [[0, 0, height]];
  for (let step = 0; step <= STEPS; step++) {
    const angle = from + ((to - from) * step) / STEPS;
    points.push([Math.cos(angle) * radius, Math.sin(angle) * radius, height]);
  }
  return points;
}

function geometry(points: [number, number, number][]): BufferGeometry {
  return new BufferGeometry().setAttribute("position", new BufferAttribute(new Float32Array(points.flat()), 3));
}

function fan(points: [number, number, number][]): BufferGeometry {
  const indices = points.slice(2).flatMap((_, index) => [0, index + 1, index + 2]);
  return geometry(points).setIndex(indices);
}
