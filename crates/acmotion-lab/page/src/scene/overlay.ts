// What is drawn over the scene about whom one looks at: a ring, the trail, interpolation nodes, leash, target.

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
import type { WhyFacts } from "../protocol";
import { colour, onTheme } from "../ui/theme";

const TRAIL = 600;

function line(points: number, dashed: boolean): Line {
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(new Float32Array(points * 3), 3));
  geometry.setDrawRange(0, 0);
  const material = dashed
    ? new LineDashedMaterial({ dashSize: 0.25, gapSize: 0.15, transparent: true, depthTest: false })
    : new LineBasicMaterial({ transparent: true, opacity: 0.8 });
  const made = new Line(geometry, material);
  made.frustumCulled = false;
  made.renderOrder = 4;
  return made;
}

function draw(target: Line, points: number[][], lift = 0.04): void {
  const positions = target.geometry.getAttribute("position") as BufferAttribute;
  const count = Math.min(points.length, positions.count);
  for (let index = 0; index < count; index++) {
    const point = points[points.length - count + index]!;
    positions.setXYZ(index, point[0]!, point[1]!, point[2]! + lift);
  }
  positions.needsUpdate = true;
  target.geometry.setDrawRange(0, count);
  if (target.material instanceof LineDashedMaterial) target.computeLineDistances();
}

/** A path behind a body; it forgets what is older than some seconds. */
export class Trail {
  readonly line = line(TRAIL, false);
  private points: { t: number; at: number[] }[] = [];

  constructor(name: string) {
    onTheme(() => (this.line.material as LineBasicMaterial).color.set(colour(name)));
  }

  add(t: number, at: number[]): void {
    if (this.points.length && t < this.points.at(-1)!.t) this.points = this.points.filter((point) => point.t < t);
    const last = this.points.at(-1);
    const apart = last && (t - last.t > 0.4 || Math.hypot(at[0]! - last.at[0]!, at[1]! - last.at[1]!) > 4);
    if (apart) this.points = [];
    this.points.push({ t, at });
    while (this.points.length > TRAIL || (this.points[0] && this.points[0].t < t - 12)) this.points.shift();
    draw(this.line, this.points.map((point) => point.at));
  }

  clear(): void {
    this.points = [];
    draw(this.line, []);
  }
}

export class Overlay {
  readonly group = new Group();
  private readonly ring: Mesh;
  private readonly nodes: Mesh[] = [];
  private readonly path = line(64, true);
  private readonly way = line(2, false);
  private readonly goal: Mesh;
  private readonly nodeLook = new MeshBasicMaterial({ transparent: true, opacity: 0.9, depthTest: false });
  /** A ring that closes as the leash runs out. */
  private readonly leash: Mesh;
  private leashShare = -1;

  constructor() {
    const flat = () => new MeshBasicMaterial({ transparent: true, opacity: 0.85, depthWrite: false });
    this.ring = new Mesh(new RingGeometry(0.42, 0.5, 48), flat());
    this.goal = new Mesh(new RingGeometry(0.18, 0.3, 32), flat());
    this.leash = new Mesh(new RingGeometry(0.56, 0.62, 64), flat());
    for (const mesh of [this.ring, this.goal, this.leash]) {
      mesh.renderOrder = 3;
      mesh.visible = false;
    }
    this.group.add(this.ring, this.goal, this.leash, this.path, this.way);
    onTheme(() => {
      (this.ring.material as MeshBasicMaterial).color.set(colour("accent"));
      (this.goal.material as MeshBasicMaterial).color.set(colour("good"));
      this.nodeLook.color.set(colour("warm"));
      (this.path.material as LineDashedMaterial).color.set(colour("warm"));
      (this.way.material as LineBasicMaterial).color.set(colour("good"));
    });
  }

  /** The ring under whom was picked, at his place on the screen. */
  mark(at: ArrayLike<number> | null, radius = 0.4): void {
    this.ring.visible = at !== null;
    if (!at) return;
    this.ring.position.set(at[0]!, at[1]!, at[2]! + 0.03);
    this.ring.scale.setScalar(Math.max(0.7, radius / 0.4));
  }

  /** Nodes, leash and goal of the tick that is shown. */
  explain(why: WhyFacts | null, at: number[] | null): void {
    const nodes = why?.interpolation?.nodes ?? [];
    while (this.nodes.length < Math.min(nodes.length, 40)) {
      const mesh = new Mesh(new SphereGeometry(0.09, 16, 12), this.nodeLook);
      mesh.renderOrder = 5;
      this.nodes.push(mesh);
      this.group.add(mesh);
    }
    this.nodes.forEach((mesh, index) => {
      const node = nodes[index];
      mesh.visible = node !== undefined;
      if (node) mesh.position.set(node[0]!, node[1]!, node[2]! + 0.09);
    });
    draw(this.path, at && nodes.length ? [at, ...nodes] : [], 0.09);
    this.goalAt(why?.moveto?.target ?? null, at);
    this.leashAt(why?.leash ?? null, at);
  }

  private leashAt(leash: WhyFacts["leash"], at: number[] | null): void {
    this.leash.visible = Boolean(leash && at && leash.max > 0);
    if (!leash || !at || !this.leash.visible) return;
    const share = Math.min(1, Math.max(0.01, leash.offset / leash.max));
    if (Math.abs(share - this.leashShare) > 0.004) {
      this.leashShare = share;
      this.leash.geometry.dispose();
      this.leash.geometry = new RingGeometry(0.56, 0.62, 64, 1, Math.PI / 2, share * 2 * Math.PI);
    }
    (this.leash.material as MeshBasicMaterial).color.set(colour(leash.offset > leash.start ? "bad" : "soft"));
    this.leash.position.set(at[0]!, at[1]!, at[2]! + 0.035);
  }

  private goalAt(target: ArrayLike<number> | null, at: number[] | null): void {
    this.goal.visible = target !== null;
    if (target) this.goal.position.set(target[0]!, target[1]!, target[2]! + 0.05);
    draw(this.way, [], 0);
    if (target && at) draw(this.way, [at, Array.from(target)], 0.06);
  }

  clear(): void {
    this.mark(null);
    this.explain(null, null);
  }

  add(...objects: Object3D[]): void {
    this.group.add(...objects);
  }
}
