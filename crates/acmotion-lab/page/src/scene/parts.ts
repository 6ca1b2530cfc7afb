// Draws many bodies with few draw calls: one instanced mesh for each geometry and tint.

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

function createMaterial(tint: Tint): MeshLambertMaterial {
  if (tint === "solid") return new MeshLambertMaterial({ vertexColors: true });
  const { colour, opacity } = GHOSTS[tint];
  return new MeshLambertMaterial({ color: colour, emissive: colour, emissiveIntensity: 0.25, transparent: true, opacity, depthWrite: false });
}

/** Ghosts write their depth first, so that their insides are not visible. */
const depthOnly = new MeshBasicMaterial({ colorWrite: false, transparent: true });

/** The instances of one geometry in one tint. */
class Pool {
  mesh: InstancedMesh;
  count = 0;
  private depth: InstancedMesh | null = null;

  constructor(
    private readonly group: Group,
    private readonly geometry: BufferGeometry,
    private readonly tint: Tint,
    private readonly material: MeshLambertMaterial,
  ) {
    this.mesh = this.createMesh(16);
  }

  private createMesh(capacity: number): InstancedMesh {
    const mesh = new InstancedMesh(this.geometry, this.material, capacity);
    mesh.instanceMatrix.setUsage(DynamicDrawUsage);
    mesh.frustumCulled = false;
    mesh.castShadow = this.tint === "solid";
    mesh.receiveShadow = this.tint === "solid";
    mesh.renderOrder = this.tint === "solid" ? 0 : 2;
    this.group.add(mesh);
    if (this.tint !== "solid") this.createDepthMesh(mesh, capacity);
    return mesh;
  }

  private createDepthMesh(mesh: InstancedMesh, capacity: number): void {
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
      this.mesh = this.createMesh(this.count * 2);
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

const geometries = new Map<number, BufferGeometry>();

/** The geometry of a mesh, shared by everything that draws it; null until the mesh is loaded. */
export function geometryOf(id: number): BufferGeometry | null {
  const known = geometries.get(id);
  if (known) return known;
  const data = meshes.get(id);
  if (!data) return null;
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(data.positions, 3));
  geometry.setAttribute("normal", new BufferAttribute(data.normals, 3));
  geometry.setAttribute("color", new BufferAttribute(data.colours, 3));
  geometries.set(id, geometry);
  return geometry;
}

/** The parts of all bodies. In each frame: `begin`, `add` for each part, `end`. */
export class Parts {
  readonly group = new Group();
  private readonly pools = new Map<string, Pool>();
  private readonly materials = new Map<Tint, MeshLambertMaterial>();

  begin(): void {
    for (const pool of this.pools.values()) pool.count = 0;
  }

  add(mesh: number, tint: Tint, matrix: Matrix4): void {
    const key = `${mesh}${tint}`;
    let pool = this.pools.get(key);
    if (!pool) {
      const geometry = geometryOf(mesh);
      if (!geometry) return;
      let material = this.materials.get(tint);
      if (!material) this.materials.set(tint, (material = createMaterial(tint)));
      pool = new Pool(this.group, geometry, tint, material);
      this.pools.set(key, pool);
    }
    pool.add(matrix);
  }

  end(): void {
    for (const pool of this.pools.values()) pool.finish();
  }
}
