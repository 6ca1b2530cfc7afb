// How the selected body collides: its spheres, the plane that it stands on, and what it touched, with normals.

import {
  BufferAttribute,
  BufferGeometry,
  CircleGeometry,
  Group,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshBasicMaterial,
  Quaternion,
  SphereGeometry,
  Vector3,
  WireframeGeometry,
} from "three";
import type { Contact, Explanation, Ground } from "../protocol";
import { colour, onTheme } from "../ui/theme";

/** The maximum number of contacts that are drawn. */
const MAX_CONTACTS = 12;
/** The length of a normal, in metres. */
const NORMAL_LENGTH = 0.7;
/** The side of a land cell, in metres. */
const CELL = 24;
/** The axis along which a circle faces. */
const UP = new Vector3(0, 0, 1);

export class CollisionOverlay {
  readonly group = new Group();
  private readonly sphereMaterial = new LineBasicMaterial({ transparent: true, opacity: 0.22 });
  private readonly sphereGeometry = new WireframeGeometry(new SphereGeometry(1, 14, 8));
  private readonly spheres: LineSegments[] = [];
  private readonly plane: Mesh;
  private readonly contactMaterial = new MeshBasicMaterial({ depthTest: false, transparent: true });
  private readonly points: Mesh[] = [];
  private readonly normals: LineSegments;
  private readonly cell: LineSegments;
  /** Where the body is in the explanation that is shown. */
  private at: [number, number, number] = [0, 0, 0];

  constructor() {
    this.plane = new Mesh(new CircleGeometry(0.75, 40), new MeshBasicMaterial({ transparent: true, opacity: 0.28, depthWrite: false, side: 2 }));
    this.normals = segments(MAX_CONTACTS * 2 + 2);
    this.cell = segments(8);
    this.group.add(this.plane, this.normals, this.cell);
    onTheme(() => {
      this.sphereMaterial.color.set(colour("accent"));
      (this.plane.material as MeshBasicMaterial).color.set(colour("good"));
      this.contactMaterial.color.set(colour("bad"));
      (this.normals.material as LineBasicMaterial).color.set(colour("bad"));
      (this.cell.material as LineBasicMaterial).color.set(colour("faint"));
    });
    this.show(null, null);
  }

  /** Shows the shapes and contacts of the body at `position`; null hides them. */
  show(explanation: Explanation | null, position: ArrayLike<number> | null): void {
    this.group.visible = explanation !== null && position !== null;
    if (!explanation || !position) return;
    this.at = [position[0]!, position[1]!, position[2]!];
    this.showSpheres(explanation, position);
    this.showGround(explanation.ground);
    this.showContacts(explanation.step?.contacts ?? [], explanation.ground);
    this.showCell(explanation, position);
  }

  /** Moves everything along with a body that is drawn between two ticks. */
  follow(position: ArrayLike<number> | null): void {
    const offset = position ? this.at.map((value, axis) => position[axis]! - value) : [0, 0, 0];
    this.group.position.set(offset[0]!, offset[1]!, offset[2]!);
  }

  private showSpheres({ spheres, rotation }: Explanation, position: ArrayLike<number>): void {
    while (this.spheres.length < spheres.length) {
      const mesh = new LineSegments(this.sphereGeometry, this.sphereMaterial);
      this.spheres.push(mesh);
      this.group.add(mesh);
    }
    const [w, x, y, z] = rotation;
    const turn = new Quaternion(x, y, z, w);
    this.spheres.forEach((mesh, index) => {
      const sphere = spheres[index];
      mesh.visible = sphere !== undefined;
      if (!sphere) return;
      mesh.position.set(sphere[0], sphere[1], sphere[2]).applyQuaternion(turn);
      mesh.position.add(new Vector3(position[0], position[1], position[2]));
      mesh.scale.setScalar(sphere[3]);
    });
  }

  private showGround(ground: Ground | null): void {
    this.plane.visible = ground !== null;
    if (!ground) return;
    const normal = new Vector3(...ground.normal);
    this.plane.position.set(...ground.point).addScaledVector(normal, 0.02);
    this.plane.quaternion.setFromUnitVectors(UP, normal.normalize());
  }

  private showContacts(contacts: Contact[], ground: Ground | null): void {
    const shown = contacts.slice(0, MAX_CONTACTS);
    while (this.points.length < shown.length) {
      const mesh = new Mesh(new SphereGeometry(0.06, 14, 10), this.contactMaterial);
      mesh.renderOrder = 6;
      this.points.push(mesh);
      this.group.add(mesh);
    }
    this.points.forEach((mesh, index) => {
      mesh.visible = index < shown.length;
      if (mesh.visible) mesh.position.set(...shown[index]!.point);
    });
    const lines = shown.filter(({ normal }) => normal).flatMap(({ point, normal }) => [point, along(point, normal!)]);
    if (ground) lines.push(ground.point, along(ground.point, ground.normal));
    setSegments(this.normals, lines);
  }

  /** Draws the border of the land cell that the body is in. */
  private showCell({ cell, origin }: Explanation, position: ArrayLike<number>): void {
    const index = (Number(cell) & 0xffff) - 1;
    if (index < 0 || index >= 64) {
      setSegments(this.cell, []);
      return;
    }
    const corner = [position[0]! - origin[0] + (index >> 3) * CELL, position[1]! - origin[1] + (index & 7) * CELL] as const;
    const at = (x: number, y: number): [number, number, number] => [corner[0] + x * CELL, corner[1] + y * CELL, position[2]! + 0.05];
    setSegments(this.cell, [at(0, 0), at(1, 0), at(1, 0), at(1, 1), at(1, 1), at(0, 1), at(0, 1), at(0, 0)]);
  }
}

function along(point: [number, number, number], normal: [number, number, number]): [number, number, number] {
  return [point[0] + normal[0] * NORMAL_LENGTH, point[1] + normal[1] * NORMAL_LENGTH, point[2] + normal[2] * NORMAL_LENGTH];
}

function segments(points: number): LineSegments {
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(new Float32Array(points * 3), 3));
  const lines = new LineSegments(geometry, new LineBasicMaterial({ depthTest: false, transparent: true }));
  lines.frustumCulled = false;
  lines.renderOrder = 6;
  return lines;
}

function setSegments(lines: LineSegments, points: [number, number, number][]): void {
  const positions = lines.geometry.getAttribute("position") as BufferAttribute;
  const count = Math.min(points.length, positions.count);
  for (let index = 0; index < count; index++) positions.setXYZ(index, ...points[index]!);
  positions.needsUpdate = true;
  lines.geometry.setDrawRange(0, count);
}
