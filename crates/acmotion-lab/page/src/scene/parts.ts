// Many bodies, few draw calls: one instanced mesh for each part's shape and tint.

import {
  BufferAttribute,
  BufferGeometry,
  DynamicDrawUsage,
  Group,
  InstancedMesh,
  Matrix4,
  MeshBasicMaterial,
  MeshLambertMaterial,
} from "three";
import { meshes } from "../api";

export type Tint = "solid" | "observer" | "client" | "faint";

const GHOSTS: Record<Exclude<Tint, "solid">, { colour: string; opacity: number }> = {
  observer: { colour: "#8f5cf0", opacity: 0.46 },
  client: { colour: "#1ba39c", opacity: 0.42 },
  faint: { colour: "#8a94a6", opacity: 0.3 },
};

function material(tint: Tint): MeshLambertMaterial {
  if (tint === "solid") return new MeshLambertMaterial({ vertexColors: true });
  const { colour, opacity } = GHOSTS[tint];
  return new MeshLambertMaterial({ color: colour, emissive: colour, emissiveIntensity: 0.25, transparent: true, opacity, depthWrite: false });
}

/** Ghosts lay down their depth first, so that one does not see their insides. */
const depthOnly = new MeshBasicMaterial({ colorWrite: false, transparent: true });

class Pool {
  mesh: InstancedMesh;
  count = 0;
  private depth: InstancedMesh | null = null;

  constructor(
    private readonly group: Group,
    private readonly geometry: BufferGeometry,
    private readonly tint: Tint,
    private readonly look: MeshLambertMaterial,
  ) {
    this.mesh = this.make(16);
  }

  private make(capacity: number): InstancedMesh {
    const mesh = new InstancedMesh(this.geometry, this.look, capacity);
    mesh.instanceMatrix.setUsage(DynamicDrawUsage);
    mesh.frustumCulled = false;
    mesh.castShadow = this.tint === "solid";
    mesh.receiveShadow = this.tint === "solid";
    mesh.renderOrder = this.tint === "solid" ? 0 : 2;
    this.group.add(mesh);
    if (this.tint !== "solid") this.makeDepth(mesh, capacity);
    return mesh;
  }

  private makeDepth(mesh: InstancedMesh, capacity: number): void {
    if (this.depth) this.group.remove(this.depth);
    this.depth = new InstancedMesh(this.geometry, depthOnly, capacity);
    this.depth.instanceMatrix = mesh.instanceMatrix;
    this.depth.frustumCulled = false;
    this.depth.renderOrder = 1;
    this.group.add(this.depth);
  }

  add(matrix: Matrix4): void {
    if (this.count === this.mesh.instanceMatrix.count) {
      const old = this.mesh;
      this.mesh = this.make(this.count * 2);
      this.mesh.instanceMatrix.array.set(old.instanceMatrix.array);
      this.group.remove(old);
      old.dispose();
    }
    matrix.toArray(this.mesh.instanceMatrix.array, this.count * 16);
    this.count += 1;
  }

  finish(): void {
    this.mesh.count = this.count;
    this.mesh.visible = this.count > 0;
    this.mesh.instanceMatrix.needsUpdate = true;
    if (!this.depth) return;
    this.depth.count = this.count;
    this.depth.visible = this.count > 0;
  }
}

/** The shape of a mesh, shared by everything that draws it. */
const shapes = new Map<number, BufferGeometry>();
export function shape(id: number): BufferGeometry | null {
  const kept = shapes.get(id);
  if (kept) return kept;
  const data = meshes.get(id);
  if (!data) return null;
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(data.positions, 3));
  geometry.setAttribute("normal", new BufferAttribute(data.normals, 3));
  geometry.setAttribute("color", new BufferAttribute(data.colours, 3));
  shapes.set(id, geometry);
  return geometry;
}

/** Parts are put anew each frame: `begin`, `add` for each, `end`. */
export class Parts {
  readonly group = new Group();
  private readonly pools = new Map<string, Pool>();
  private readonly looks = new Map<Tint, MeshLambertMaterial>();

  begin(): void {
    for (const pool of this.pools.values()) pool.count = 0;
  }

  add(mesh: number, tint: Tint, matrix: Matrix4): void {
    const key = `${mesh}${tint}`;
    let pool = this.pools.get(key);
    if (!pool) {
      const geometry = shape(mesh);
      if (!geometry) return;
      let look = this.looks.get(tint);
      if (!look) this.looks.set(tint, (look = material(tint)));
      pool = new Pool(this.group, geometry, tint, look);
      this.pools.set(key, pool);
    }
    pool.add(matrix);
  }

  end(): void {
    for (const pool of this.pools.values()) pool.finish();
  }
}
