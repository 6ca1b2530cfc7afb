// The whole path of the selected entity, and the positions that the server reported with a line to where the body was.

import { BufferAttribute, BufferGeometry, Group, Line, LineBasicMaterial, LineSegments, Points, PointsMaterial } from "three";
import type { ReportedPosition } from "../protocol";
import { colour, onTheme } from "../ui/theme";

/** How far above the ground paths are drawn, in metres. */
const LIFT = 0.06;
/** Farther apart than this, in metres, two points of a path are not joined: the body was teleported. */
const MAX_GAP = 6;

type Point = readonly [number, number, number];

export class Paths {
  readonly group = new Group();
  private readonly path = new LineSegments(new BufferGeometry(), new LineBasicMaterial({ transparent: true, opacity: 0.55 }));
  private readonly errors = new LineSegments(new BufferGeometry(), new LineBasicMaterial({ transparent: true, opacity: 0.9 }));
  private readonly reported = new Points(new BufferGeometry(), new PointsMaterial({ size: 7, sizeAttenuation: false, transparent: true }));
  /** Where the reports are, in order. */
  private readonly order = new Line(new BufferGeometry(), new LineBasicMaterial({ transparent: true, opacity: 0.5 }));

  constructor() {
    this.group.add(this.path, this.order, this.errors, this.reported);
    for (const object of [this.path, this.order, this.errors, this.reported]) object.frustumCulled = false;
    onTheme(() => {
      this.path.material.color.set(colour("accent"));
      this.order.material.color.set(colour("warm"));
      this.errors.material.color.set(colour("bad"));
      this.reported.material.color.set(colour("warm"));
    });
    this.clear();
  }

  clear(): void {
    this.showPath([]);
    this.showReports([]);
  }

  /** The number of reports and of points of the path that are drawn, for tests. */
  get figures(): { reports: number; path: number } {
    const drawn = (object: LineSegments | Points) => (this.group.visible ? (object.geometry.getAttribute("position")?.count ?? 0) : 0);
    return { reports: drawn(this.reported), path: drawn(this.path) };
  }

  showPath(points: Point[]): void {
    const joined = points.slice(1).flatMap((point, index): Point[] => {
      const before = points[index]!;
      return Math.hypot(point[0] - before[0], point[1] - before[1]) < MAX_GAP ? [before, point] : [];
    });
    setGeometry(this.path, joined);
  }

  showReports(reports: ReportedPosition[]): void {
    const places = reports.map(({ reported }) => reported);
    setGeometry(this.reported, places);
    setGeometry(this.order, places);
    setGeometry(this.errors, reports.flatMap(({ reported, shown }) => [reported, shown]));
  }
}

function setGeometry(object: Line | LineSegments | Points, points: Point[]): void {
  const positions = new Float32Array(points.length * 3);
  points.forEach((point, index) => positions.set([point[0], point[1], point[2] + LIFT], index * 3));
  object.geometry.dispose();
  object.geometry = new BufferGeometry();
  object.geometry.setAttribute("position", new BufferAttribute(positions, 3));
  object.visible = points.length > 0;
}
