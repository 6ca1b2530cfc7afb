// The cells of the land and their portals: the room or the square of land that the selected body is in, and every opening.

import { BufferAttribute, BufferGeometry, DoubleSide, EdgesGeometry, Group, LineBasicMaterial, LineLoop, LineSegments, Mesh, MeshBasicMaterial } from "three";
import type { Explanation, Scenery, SceneryPortal } from "../protocol";
import { colour, onTheme } from "../ui/theme";
import { buildGeometry } from "./scenery";

/** The side of a land cell, in metres. */
const CELL = 24;
/** Edges between faces with a smaller angle than this, in degrees, are not drawn. */
const EDGE_ANGLE = 20;

type Point = [number, number, number];

export class CellOverlay {
  readonly group = new Group();
  private readonly fill = new MeshBasicMaterial({ transparent: true, opacity: 0.2, side: DoubleSide, depthWrite: false });
  private readonly portalLine = new LineBasicMaterial({ transparent: true, opacity: 0.9 });
  private readonly roomLine = new LineBasicMaterial({ transparent: true, opacity: 0.45 });
  private readonly ownLine = new LineBasicMaterial({ transparent: true, depthTest: false });
  private readonly land = new LineLoop(new BufferGeometry(), this.ownLine);
  /** The edges of each room, by its cell. */
  private readonly rooms = new Map<string, LineSegments>();
  private own: string | null = null;

  constructor() {
    this.land.frustumCulled = false;
    this.land.renderOrder = 6;
    onTheme(() => {
      this.fill.color.set(colour("good"));
      this.portalLine.color.set(colour("good"));
      this.roomLine.color.set(colour("faint"));
      this.ownLine.color.set(colour("accent"));
    });
  }

  /** How many portals the scenery has, whether they are shown or not. */
  get portalCount(): number {
    return this.group.children.filter((object) => object instanceof Mesh).length;
  }

  get shownPortalCount(): number {
    return this.group.visible ? this.portalCount : 0;
  }

  /** Shows the rooms and portals of a scenery; null for none. */
  load(scenery: Scenery | null): void {
    for (const object of this.group.children) (object as Mesh).geometry.dispose();
    this.group.clear();
    this.rooms.clear();
    this.own = null;
    this.group.add(this.land);
    for (const mesh of scenery?.meshes ?? []) {
      if (mesh.kind !== "room" || !mesh.cell) continue;
      const edges = new LineSegments(new EdgesGeometry(buildGeometry(mesh), EDGE_ANGLE), this.roomLine);
      edges.position.set(...mesh.position);
      edges.quaternion.set(mesh.rotation[1], mesh.rotation[2], mesh.rotation[3], mesh.rotation[0]);
      this.rooms.set(mesh.cell, edges);
      this.group.add(edges);
    }
    for (const portal of scenery?.portals ?? []) this.addPortal(portal);
  }

  private addPortal({ corners }: SceneryPortal): void {
    if (corners.length < 3) return;
    const geometry = pointGeometry(corners);
    const fan = pointGeometry(corners).setIndex(corners.slice(2).flatMap((_, index) => [0, index + 1, index + 2]));
    this.group.add(new Mesh(fan, this.fill), new LineLoop(geometry, this.portalLine));
  }

  /** Marks the cell that a body at `position` is in; null marks none. */
  mark(explanation: Explanation | null, position: ArrayLike<number> | null): void {
    const cell = explanation?.cell ?? null;
    if (cell !== this.own) {
      for (const id of [this.own, cell]) {
        const room = id === null ? undefined : this.rooms.get(id);
        if (room) room.material = id === cell ? this.ownLine : this.roomLine;
      }
      this.own = cell;
    }
    const index = (Number(cell) & 0xffff) - 1;
    this.land.visible = explanation !== null && position !== null && index >= 0 && index < 64;
    if (!explanation || !position || !this.land.visible) return;
    const { origin } = explanation;
    const [x, y] = [position[0]! - origin[0] + (index >> 3) * CELL, position[1]! - origin[1] + (index & 7) * CELL];
    const z = position[2]! + 0.05;
    this.land.geometry.dispose();
    this.land.geometry = pointGeometry([[x, y, z], [x + CELL, y, z], [x + CELL, y + CELL, z], [x, y + CELL, z]]);
  }
}

function pointGeometry(points: Point[]): BufferGeometry {
  return new BufferGeometry().setAttribute("position", new BufferAttribute(new Float32Array(points.flat()), 3));
}
