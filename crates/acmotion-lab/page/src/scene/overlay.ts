// Marks around the selected body: a ring, its trail, interpolation nodes, constraint and target.

import {
  BufferAttribute,
  BufferGeometry,
  Group,
  Line,
  LineBasicMaterial,
  LineDashedMaterial,
  Mesh,
  MeshBasicMaterial,
  RingGeometry,
  SphereGeometry,
  type Object3D,
} from "three";
import type { Constraint, Explanation } from "../protocol";
import { colour, onTheme } from "../ui/theme";

/** The maximum number of points in a trail. */
const MAX_TRAIL_POINTS = 600;
/** How many seconds a trail shows. */
const TRAIL_SECONDS = 12;
/** The maximum number of interpolation nodes that are drawn. */
const MAX_NODES = 40;

function makeLine(points: number, dashed: boolean): Line {
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(new Float32Array(points * 3), 3));
  geometry.setDrawRange(0, 0);
  const material = dashed
    ? new LineDashedMaterial({ dashSize: 0.25, gapSize: 0.15, transparent: true, depthTest: false })
    : new LineBasicMaterial({ transparent: true, opacity: 0.8 });
  const line = new Line(geometry, material);
  line.frustumCulled = false;
  line.renderOrder = 4;
  return line;
}

/** Sets the points of a line; the last ones if there are too many. */
function setPoints(line: Line, points: ArrayLike<number>[], lift = 0.04): void {
  const positions = line.geometry.getAttribute("position") as BufferAttribute;
  const count = Math.min(points.length, positions.count);
  for (let index = 0; index < count; index++) {
    const point = points[points.length - count + index]!;
    positions.setXYZ(index, point[0]!, point[1]!, point[2]! + lift);
  }
  positions.needsUpdate = true;
  line.geometry.setDrawRange(0, count);
  if (line.material instanceof LineDashedMaterial) line.computeLineDistances();
}

/** The recent path of a body. */
export class Trail {
  readonly line = makeLine(MAX_TRAIL_POINTS, false);
  private points: { t: number; position: number[] }[] = [];

  /** `colourName` is a variable of the style sheet. */
  constructor(colourName: string) {
    onTheme(() => (this.line.material as LineBasicMaterial).color.set(colour(colourName)));
  }

  add(t: number, { 0: x, 1: y, 2: z }: ArrayLike<number>): void {
    const position = [x!, y!, z!];
    if (this.points.length && t < this.points.at(-1)!.t) this.points = this.points.filter((point) => point.t < t);
    const last = this.points.at(-1);
    const isApart = last && (t - last.t > 0.4 || Math.hypot(position[0]! - last.position[0]!, position[1]! - last.position[1]!) > 4);
    if (isApart) this.points = [];
    this.points.push({ t, position });
    while (this.points.length > MAX_TRAIL_POINTS || (this.points[0] && this.points[0].t < t - TRAIL_SECONDS)) this.points.shift();
    setPoints(this.line, this.points.map((point) => point.position));
  }

  clear(): void {
    this.points = [];
    setPoints(this.line, []);
  }
}

export class Overlay {
  readonly group = new Group();
  private readonly ring: Mesh;
  private readonly nodes: Mesh[] = [];
  private readonly nodePath = makeLine(64, true);
  private readonly targetLine = makeLine(2, false);
  private readonly target: Mesh;
  private readonly nodeMaterial = new MeshBasicMaterial({ transparent: true, opacity: 0.9, depthTest: false });
  /** A ring that closes as the body approaches the limit of its constraint. */
  private readonly constraint: Mesh;
  private shownFraction = -1;

  constructor() {
    const flat = () => new MeshBasicMaterial({ transparent: true, opacity: 0.85, depthWrite: false });
    this.ring = new Mesh(new RingGeometry(0.42, 0.5, 48), flat());
    this.target = new Mesh(new RingGeometry(0.18, 0.3, 32), flat());
    this.constraint = new Mesh(new RingGeometry(0.56, 0.62, 64), flat());
    for (const mesh of [this.ring, this.target, this.constraint]) {
      mesh.renderOrder = 3;
      mesh.visible = false;
    }
    this.group.add(this.ring, this.target, this.constraint, this.nodePath, this.targetLine);
    onTheme(() => {
      (this.ring.material as MeshBasicMaterial).color.set(colour("accent"));
      (this.target.material as MeshBasicMaterial).color.set(colour("good"));
      this.nodeMaterial.color.set(colour("warm"));
      (this.nodePath.material as LineDashedMaterial).color.set(colour("warm"));
      (this.targetLine.material as LineBasicMaterial).color.set(colour("good"));
    });
  }

  /** Puts the ring under the selected body; null hides it. */
  markSelection(position: ArrayLike<number> | null, radius = 0.4): void {
    this.ring.visible = position !== null;
    if (!position) return;
    this.ring.position.set(position[0]!, position[1]!, position[2]! + 0.03);
    this.ring.scale.setScalar(Math.max(0.7, radius / 0.4));
  }

  /** Shows the interpolation nodes, constraint and target of the body at `position`. */
  showExplanation(explanation: Explanation | null, position: number[] | null): void {
    const nodes = explanation?.interpolation?.nodes ?? [];
    while (this.nodes.length < Math.min(nodes.length, MAX_NODES)) {
      const mesh = new Mesh(new SphereGeometry(0.09, 16, 12), this.nodeMaterial);
      mesh.renderOrder = 5;
      this.nodes.push(mesh);
      this.group.add(mesh);
    }
    this.nodes.forEach((mesh, index) => {
      const node = nodes[index];
      mesh.visible = node !== undefined;
      if (node) mesh.position.set(node[0]!, node[1]!, node[2]! + 0.09);
    });
    setPoints(this.nodePath, position && nodes.length ? [position, ...nodes] : [], 0.09);
    this.showTarget(explanation?.move_to?.target ?? null, position);
    this.showConstraint(explanation?.constraint ?? null, position);
  }

  private showConstraint(constraint: Constraint | null, position: number[] | null): void {
    this.constraint.visible = Boolean(constraint?.max && position);
    if (!constraint?.max || !position) return;
    const fraction = Math.min(1, Math.max(0.01, constraint.offset / constraint.max));
    if (Math.abs(fraction - this.shownFraction) > 0.004) {
      this.shownFraction = fraction;
      this.constraint.geometry.dispose();
      this.constraint.geometry = new RingGeometry(0.56, 0.62, 64, 1, Math.PI / 2, fraction * 2 * Math.PI);
    }
    const isTight = constraint.start !== null && constraint.offset > constraint.start;
    (this.constraint.material as MeshBasicMaterial).color.set(colour(isTight ? "bad" : "soft"));
    this.constraint.position.set(position[0]!, position[1]!, position[2]! + 0.035);
  }

  private showTarget(target: ArrayLike<number> | null, position: number[] | null): void {
    this.target.visible = target !== null;
    if (target) this.target.position.set(target[0]!, target[1]!, target[2]! + 0.05);
    setPoints(this.targetLine, target && position ? [position, target] : [], 0.06);
  }

  clear(): void {
    this.markSelection(null);
    this.showExplanation(null, null);
  }

  add(...objects: Object3D[]): void {
    this.group.add(...objects);
  }
}
