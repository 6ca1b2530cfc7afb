// How the selected body collides: its spheres and cylinders, the plane that it stands on, and what it touched, with normals.

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
  type Object3D,
  SphereGeometry,
  Vector3,
  type WireframeGeometry,
} from "three";
import type { Contact, Cylinder, Explanation, Ground, Setup } from "../protocol";
import { colour, onTheme } from "../ui/theme";
import { cylinderLines, sphereLines } from "./scenery-shapes";

/** The maximum number of contacts that are drawn. */
const MAX_CONTACTS = 12;
/** The length of a normal, in metres. */
const NORMAL_LENGTH = 0.7;
/** The axis along which a circle faces. */
const UP = new Vector3(0, 0, 1);

export class CollisionOverlay {
  readonly group = new Group();
  private readonly sphereMaterial = new LineBasicMaterial({ transparent: true, opacity: 0.22 });
  private readonly spheres: LineSegments[] = [];
  private readonly cylinders: LineSegments[] = [];
  private readonly plane: Mesh;
  private readonly contactMaterial = new MeshBasicMaterial({ depthTest: false, transparent: true });
  private readonly points: Mesh[] = [];
  private readonly normals: LineSegments;
  private isShown = false;
  private conceals = false;
  /** Where the body is in the explanation that is shown. */
  private at: [number, number, number] = [0, 0, 0];

  constructor() {
    this.plane = new Mesh(new CircleGeometry(0.75, 40), new MeshBasicMaterial({ transparent: true, opacity: 0.28, depthWrite: false, side: 2 }));
    this.normals = segments(MAX_CONTACTS * 2 + 2);
    this.group.add(this.plane, this.normals);
    onTheme(() => {
      this.sphereMaterial.color.set(colour("accent"));
      (this.plane.material as MeshBasicMaterial).color.set(colour("good"));
      this.contactMaterial.color.set(colour("bad"));
      (this.normals.material as LineBasicMaterial).color.set(colour("bad"));
    });
    this.hide();
  }

  hide(): void {
    this.isShown = false;
    this.updateVisibility();
  }

  /** Hides everything while the camera is inside of the body. */
  set isConcealed(isConcealed: boolean) {
    this.conceals = isConcealed;
    this.updateVisibility();
  }

  private updateVisibility(): void {
    this.group.visible = this.isShown && !this.conceals;
  }

  /** Shows the shapes and contacts of a body. Its cylinders, which others collide with, are those of its setup, scaled. */
  show(explanation: Explanation, setup: Setup | null, scale: number): void {
    this.isShown = true;
    this.updateVisibility();
    this.at = explanation.position;
    this.showSpheres(explanation);
    this.showCylinders(explanation, setup?.cylinders ?? [], scale);
    this.showGround(explanation.ground);
    this.showContacts(explanation.step?.contacts ?? [], explanation.ground);
  }

  /** How much is drawn of each kind, for tests. */
  get figures(): { spheres: number; cylinders: number; contacts: number; ground: number } {
    const drawn = (objects: Object3D[]) => (this.group.visible ? objects.filter(({ visible }) => visible).length : 0);
    return { spheres: drawn(this.spheres), cylinders: drawn(this.cylinders), contacts: drawn(this.points), ground: drawn([this.plane]) };
  }

  /** Moves everything along with a body that is drawn between two ticks. */
  follow(position: ArrayLike<number> | null): void {
    const offset = position ? this.at.map((value, axis) => position[axis]! - value) : [0, 0, 0];
    this.group.position.set(offset[0]!, offset[1]!, offset[2]!);
  }

  private showSpheres({ spheres, rotation, position }: Explanation): void {
    const place = placeIn(rotation, position);
    this.showShapes(this.spheres, sphereLines, spheres, (mesh, [x, y, z, radius]) => {
      mesh.position.copy(place(x, y, z));
      mesh.scale.setScalar(radius);
    });
  }

  /** Cylinders stay upright, however the body is turned. */
  private showCylinders({ rotation, position }: Explanation, cylinders: Cylinder[], scale: number): void {
    const place = placeIn(rotation, position);
    this.showShapes(this.cylinders, cylinderLines, cylinders, (mesh, { origin: [x, y, z], radius, height }) => {
      mesh.position.copy(place(x * scale, y * scale, z * scale));
      mesh.scale.set(radius * scale, radius * scale, height * scale);
    });
  }

  /** Shows one mesh for each shape, and hides the others. */
  private showShapes<T>(meshes: LineSegments[], geometry: WireframeGeometry, shapes: T[], show: (mesh: LineSegments, shape: T) => void): void {
    while (meshes.length < shapes.length) {
      const mesh = new LineSegments(geometry, this.sphereMaterial);
      meshes.push(mesh);
      this.group.add(mesh);
    }
    meshes.forEach((mesh, index) => {
      const shape = shapes[index];
      mesh.visible = shape !== undefined;
      if (shape !== undefined) show(mesh, shape);
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
}

/** Converts points from a body's axes to the scene. */
function placeIn([w, x, y, z]: [number, number, number, number], position: [number, number, number]): (x: number, y: number, z: number) => Vector3 {
  const turn = new Quaternion(x, y, z, w);
  const centre = new Vector3(...position);
  return (...point) => new Vector3(...point).applyQuaternion(turn).add(centre);
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
