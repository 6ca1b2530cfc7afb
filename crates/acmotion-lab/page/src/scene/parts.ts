// Draws many bodies with few draw calls: one instanced mesh for each geometry and tint.

import {
  BufferAttribute,
  BufferGeometry,
  DynamicDrawUsage,
  Group,
  InstancedMesh,
  MeshBasicMaterial,
  MeshLambertMaterial,
} from "three";
import type { DatObjects, MeshData } from "../api";
import type { Setup } from "../protocol";

export type Tint = "solid" | "observer" | "client" | "comfort" | "beside" | "faint";

const GHOSTS: Record<Exclude<Tint, "solid">, { colour: string; opacity: number }> = {
  observer: { colour: "#8f5cf0", opacity: 0.46 },
  client: { colour: "#1ba39c", opacity: 0.42 },
  comfort: { colour: "#2e9d57", opacity: 0.46 },
  beside: { colour: "#e07b1a", opacity: 0.5 },
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
export class Pool {
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
    mesh.matrixAutoUpdate = false;
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
    this.depth.matrixAutoUpdate = false;
    this.depth.renderOrder = 1;
    this.group.add(this.depth);
  }

  /** Adds an instance and returns the array for its matrix, which starts at 16 times `count - 1`. */
  next(): Float32Array {
    if (this.count === this.mesh.instanceMatrix.count) {
      const old = this.mesh;
      this.mesh = this.createMesh(this.count * 2);
      this.mesh.instanceMatrix.array.set(old.instanceMatrix.array);
      this.group.remove(old);
      old.dispose();
    }
    this.count += 1;
    return this.mesh.instanceMatrix.array as Float32Array;
  }

  finish(): void {
    const { mesh, depth, count } = this;
    mesh.count = count;
    mesh.visible = count > 0;
    // Only the matrices in use are sent to the graphics card.
    mesh.instanceMatrix.clearUpdateRanges();
    mesh.instanceMatrix.addUpdateRange(0, count * 16);
    mesh.instanceMatrix.needsUpdate = count > 0;
    if (!depth) return;
    depth.count = count;
    depth.visible = count > 0;
  }
}

const geometries = new WeakMap<MeshData, BufferGeometry>();

/** The geometry of a mesh, shared by everything that draws it; null until the mesh is loaded. */
export function geometryOf(objects: DatObjects, id: number): BufferGeometry | null {
  const data = objects.meshes.get(id);
  if (!data) return null;
  const known = geometries.get(data);
  if (known) return known;
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(data.positions, 3));
  geometry.setAttribute("normal", new BufferAttribute(data.normals, 3));
  geometry.setAttribute("color", new BufferAttribute(data.colours, 3));
  geometries.set(data, geometry);
  return geometry;
}

/** How a setup is drawn in one tint: a pool for each part, null until its mesh is loaded, and the scales of the parts. */
export interface Drawing {
  pools: (Pool | null)[];
  scales: Float32Array;
  isComplete: boolean;
}

/** The parts of all bodies. In each frame: `begin`, `draw` for each body, `end`. */
export class Parts {
  readonly group = new Group();
  private readonly pools = new Map<BufferGeometry, Map<Tint, Pool>>();
  private readonly drawings = new Map<Tint, WeakMap<Setup, Drawing>>();
  private readonly materials = new Map<Tint, MeshLambertMaterial>();

  begin(): void {
    for (const tints of this.pools.values()) for (const pool of tints.values()) pool.count = 0;
  }

  /**
   * Draws a body that is `fraction` of the way from one pose to another. Row 0 of both is its position and rotation, which
   * `body` has blended already; a row for each part of its setup follows.
   */
  draw(setup: Setup, objects: DatObjects, tint: Tint, body: Float32Array, from: Float32Array, to: Float32Array, fraction: number, scale: number): void {
    const { pools, scales } = this.drawing(setup, objects, tint);
    setBody(body, scale);
    for (let part = 0; part < pools.length; part++) {
      const pool = pools[part];
      if (pool) writeMatrix(pool.next(), (pool.count - 1) * 16, from, to, 7 + part * 7, fraction, scales, part * 3);
    }
  }

  private drawing(setup: Setup, objects: DatObjects, tint: Tint): Drawing {
    let bySetup = this.drawings.get(tint);
    if (!bySetup) this.drawings.set(tint, (bySetup = new WeakMap()));
    let drawing = bySetup.get(setup);
    if (!drawing) {
      drawing = { pools: setup.parts.map(() => null), scales: new Float32Array(setup.parts.flatMap(({ scale }) => scale)), isComplete: false };
      bySetup.set(setup, drawing);
    }
    if (!drawing.isComplete) {
      setup.parts.forEach(({ mesh }, part) => (drawing.pools[part] ??= this.pool(objects, Number(mesh), tint)));
      drawing.isComplete = setup.parts.every(({ mesh }, part) => drawing.pools[part] !== null || objects.meshes.has(Number(mesh)));
    }
    return drawing;
  }

  private pool(objects: DatObjects, mesh: number, tint: Tint): Pool | null {
    const geometry = geometryOf(objects, mesh);
    if (!geometry) return null;
    let tints = this.pools.get(geometry);
    if (!tints) this.pools.set(geometry, (tints = new Map()));
    let pool = tints.get(tint);
    if (pool) return pool;
    let material = this.materials.get(tint);
    if (!material) this.materials.set(tint, (material = createMaterial(tint)));
    tints.set(tint, (pool = new Pool(this.group, geometry, tint, material)));
    return pool;
  }

  end(): void {
    for (const tints of this.pools.values()) for (const pool of tints.values()) pool.finish();
  }
}

/** The matrix of the body that is being drawn: three columns and its position. */
const body = new Float64Array(12);

/** Sets the matrix of the body from its row. */
function setBody(rows: Float32Array, scale: number): void {
  const [w, x, y, z] = [rows[3]!, rows[4]!, rows[5]!, rows[6]!];
  body[0] = (1 - 2 * (y * y + z * z)) * scale;
  body[1] = 2 * (x * y + w * z) * scale;
  body[2] = 2 * (x * z - w * y) * scale;
  body[3] = 2 * (x * y - w * z) * scale;
  body[4] = (1 - 2 * (x * x + z * z)) * scale;
  body[5] = 2 * (y * z + w * x) * scale;
  body[6] = 2 * (x * z + w * y) * scale;
  body[7] = 2 * (y * z - w * x) * scale;
  body[8] = (1 - 2 * (x * x + y * y)) * scale;
  body[9] = rows[0]!;
  body[10] = rows[1]!;
  body[11] = rows[2]!;
}

/**
 * Writes the product of the body's matrix and that of a part between two rows, column by column. Rotations take the shorter
 * arc; they are not normalised, but their length is divided out.
 */
function writeMatrix(out: Float32Array, at: number, from: Float32Array, to: Float32Array, row: number, fraction: number, scales: Float32Array, scale: number): void {
  const rest = 1 - fraction;
  const aw = from[row + 3]!;
  const ax = from[row + 4]!;
  const ay = from[row + 5]!;
  const az = from[row + 6]!;
  const bw = to[row + 3]!;
  const bx = to[row + 4]!;
  const by = to[row + 5]!;
  const bz = to[row + 6]!;
  const signed = aw * bw + ax * bx + ay * by + az * bz < 0 ? -fraction : fraction;
  const w = aw * rest + bw * signed;
  const x = ax * rest + bx * signed;
  const y = ay * rest + by * signed;
  const z = az * rest + bz * signed;
  const twice = 2 / (w * w + x * x + y * y + z * z || 1);
  const [b0, b1, b2, b3, b4, b5, b6, b7, b8] = [body[0]!, body[1]!, body[2]!, body[3]!, body[4]!, body[5]!, body[6]!, body[7]!, body[8]!];
  const sx = scales[scale]!;
  const sy = scales[scale + 1]!;
  const sz = scales[scale + 2]!;
  let i = (1 - twice * (y * y + z * z)) * sx;
  let j = twice * (x * y + w * z) * sx;
  let k = twice * (x * z - w * y) * sx;
  out[at] = b0 * i + b3 * j + b6 * k;
  out[at + 1] = b1 * i + b4 * j + b7 * k;
  out[at + 2] = b2 * i + b5 * j + b8 * k;
  out[at + 3] = 0;
  i = twice * (x * y - w * z) * sy;
  j = (1 - twice * (x * x + z * z)) * sy;
  k = twice * (y * z + w * x) * sy;
  out[at + 4] = b0 * i + b3 * j + b6 * k;
  out[at + 5] = b1 * i + b4 * j + b7 * k;
  out[at + 6] = b2 * i + b5 * j + b8 * k;
  out[at + 7] = 0;
  i = twice * (x * z + w * y) * sz;
  j = twice * (y * z - w * x) * sz;
  k = (1 - twice * (x * x + y * y)) * sz;
  out[at + 8] = b0 * i + b3 * j + b6 * k;
  out[at + 9] = b1 * i + b4 * j + b7 * k;
  out[at + 10] = b2 * i + b5 * j + b8 * k;
  out[at + 11] = 0;
  i = from[row]! * rest + to[row]! * fraction;
  j = from[row + 1]! * rest + to[row + 1]! * fraction;
  k = from[row + 2]! * rest + to[row + 2]! * fraction;
  out[at + 12] = b0 * i + b3 * j + b6 * k + body[9]!;
  out[at + 13] = b1 * i + b4 * j + b7 * k + body[10]!;
  out[at + 14] = b2 * i + b5 * j + b8 * k + body[11]!;
  out[at + 15] = 1;
}
