// The cylinders and spheres that scenery collides with in place of its polygons: trees, pillars, barrels.

import { CylinderGeometry, Group, LineBasicMaterial, LineSegments, Quaternion, SphereGeometry, Vector3, WireframeGeometry } from "three";
import { objectsOf } from "../api";
import type { Scenery, SceneryObject, Setup } from "../protocol";
import { colour, onTheme } from "../ui/theme";

/** The lines of a sphere with radius 1, and of a cylinder of radius and height 1 that stands on its origin. */
export const sphereLines = new WireframeGeometry(new SphereGeometry(1, 14, 8));
export const cylinderLines = new WireframeGeometry(new CylinderGeometry(1, 1, 1, 18, 1, true).rotateX(Math.PI / 2).translate(0, 0, 0.5));

/** Shapes that are nearer to a body than this are shown, in metres from their middle. */
const MAX_DISTANCE = 6;

/** The shapes of all scenery. Those near a body are shown. */
export class SceneryShapes {
  readonly group = new Group();
  private readonly material = new LineBasicMaterial({ transparent: true, opacity: 0.35 });
  /** Counts the calls of `load`: only the last one may show anything. */
  private loads = 0;

  constructor() {
    onTheme(() => this.material.color.set(colour("accent")));
  }

  /** Loads the shapes of a scenery; null has none. */
  async load(scenery: Scenery | null): Promise<void> {
    const load = ++this.loads;
    const { setups } = objectsOf(scenery?.dat ?? 0);
    const placed: [Setup, SceneryObject][] = [];
    for (const object of scenery?.objects ?? []) {
      const setup = object.setup ? await setups.load(Number(object.setup)) : null;
      if (setup) placed.push([setup, object]);
    }
    if (load !== this.loads) return;
    this.group.clear();
    for (const [setup, object] of placed) this.add(setup, object);
  }

  /** Only one kind of shape counts: polygons, else cylinders, else spheres (docs/collision.md 8.3). Cylinders stay upright. */
  private add({ has_polygons, cylinders, spheres }: Setup, { position, rotation: [w, x, y, z] }: SceneryObject): void {
    const turn = new Quaternion(x, y, z, w);
    const addShape = (lines: WireframeGeometry, origin: [number, number, number], radius: number, height: number) => {
      const shape = new LineSegments(lines, this.material);
      shape.position.set(...origin).applyQuaternion(turn).add(new Vector3(...position));
      shape.scale.set(radius, radius, height);
      shape.visible = false;
      this.group.add(shape);
    };
    if (has_polygons) return;
    for (const { origin, radius, height } of cylinders) addShape(cylinderLines, origin, radius, height);
    if (cylinders.length === 0) for (const { origin, radius } of spheres) addShape(sphereLines, origin, radius, radius);
  }

  /** Shows the shapes near a position; null shows none. */
  showNear(position: readonly [number, number, number] | null): void {
    for (const shape of this.group.children) {
      shape.visible = position !== null && Math.hypot(shape.position.x - position[0], shape.position.y - position[1]) < MAX_DISTANCE;
    }
  }

  /** The number of shapes that are shown. */
  get shownCount(): number {
    return this.group.children.filter(({ visible }) => visible).length;
  }
}
