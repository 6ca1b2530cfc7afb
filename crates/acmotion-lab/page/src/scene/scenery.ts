// What does not move: terrain with a metre grid, water, rooms, buildings, things.

import {
  BufferAttribute,
  BufferGeometry,
  Color,
  FrontSide,
  Group,
  Mesh,
  MeshLambertMaterial,
  PlaneGeometry,
  Raycaster,
  Vector3,
  type Object3D,
  type Ray,
} from "three";
import { meshes, setups } from "../api";
import type { Scenery, SceneryMesh } from "../protocol";
import { onTheme } from "../ui/theme";
import { shape } from "./parts";

const dim = { value: 1 };
const lines = { value: new Color("#000000") };

/** Ground with thin lines each metre and stronger ones each ten, so that a step can be judged by eye. */
export function groundMaterial(coloured: boolean, strength = 1): MeshLambertMaterial {
  const material = new MeshLambertMaterial({ vertexColors: coloured, color: coloured ? "#ffffff" : "#c9c3b4" });
  material.onBeforeCompile = (shader) => {
    shader.uniforms.lines = lines;
    shader.uniforms.dim = dim;
    shader.vertexShader = shader.vertexShader
      .replace("#include <common>", "#include <common>\nvarying vec3 onGround;")
      .replace("#include <project_vertex>", "#include <project_vertex>\nonGround = (modelMatrix * vec4(transformed, 1.0)).xyz;");
    shader.fragmentShader = shader.fragmentShader
      .replace(
        "#include <common>",
        `#include <common>
        varying vec3 onGround; uniform vec3 lines; uniform float dim;
        float grid(float step, float wide) {
          vec2 at = onGround.xy / step;
          vec2 width = fwidth(at) * wide;
          vec2 line = smoothstep(width, vec2(0.0), abs(fract(at - 0.5) - 0.5));
          return max(line.x, line.y) * (1.0 - smoothstep(0.25, 0.9, max(width.x, width.y)));
        }`,
      )
      .replace(
        "#include <color_fragment>",
        `#include <color_fragment>
        diffuseColor.rgb *= dim;
        float marks = max(grid(1.0, 1.1) * 0.10, grid(10.0, 1.6) * 0.26) * ${strength.toFixed(2)};
        diffuseColor.rgb = mix(diffuseColor.rgb, lines, marks);`,
      );
  };
  return material;
}

/** The colours of scenery are the dat file's; in the dark they are only dimmer. */
function plainMaterial(): MeshLambertMaterial {
  const material = new MeshLambertMaterial({ vertexColors: true, side: FrontSide, shadowSide: FrontSide });
  material.onBeforeCompile = (shader) => {
    shader.uniforms.dim = dim;
    shader.fragmentShader = shader.fragmentShader
      .replace("#include <common>", "#include <common>\nuniform float dim;")
      .replace("#include <color_fragment>", "#include <color_fragment>\ndiffuseColor.rgb *= dim;");
  };
  return material;
}

function geometryOf(mesh: SceneryMesh): BufferGeometry {
  const positions = mesh.positions ?? [];
  const indices = mesh.indices ?? [];
  const corners = new Float32Array(indices.length * 3);
  const colours = new Float32Array(indices.length * 3);
  indices.forEach((vertex, corner) => {
    for (let axis = 0; axis < 3; axis++) corners[corner * 3 + axis] = positions[vertex * 3 + axis] ?? 0;
  });
  const colour = new Color();
  for (const [first, count, hex] of mesh.colours ?? []) {
    colour.setHex(Number(hex) & 0xffffff);
    for (let corner = first; corner < first + count; corner++) colour.toArray(colours, corner * 3);
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(corners, 3));
  geometry.setAttribute("color", new BufferAttribute(colours, 3));
  geometry.computeVertexNormals();
  return geometry;
}

export class Backdrop {
  readonly group = new Group();
  private readonly solids: Object3D[] = [];
  private readonly ray = new Raycaster();

  constructor() {
    onTheme((theme) => {
      dim.value = theme === "dark" ? 0.42 : 1;
      lines.value.set(theme === "dark" ? "#93a5c2" : "#2b2a26");
    });
  }

  async show(scenery: Scenery): Promise<void> {
    const ground = groundMaterial(true);
    const plain = plainMaterial();
    const water = new MeshLambertMaterial({ color: "#3f86b5", transparent: true, opacity: 0.72 });
    this.group.clear();
    this.solids.length = 0;
    for (const entry of scenery.meshes) {
      const geometry = entry.mesh ? await this.shapeOf(entry.mesh) : geometryOf(entry);
      if (!geometry) continue;
      const look = entry.kind === "terrain" ? ground : entry.kind === "water" ? water : plain;
      this.put(geometry, look, entry);
    }
    for (const object of scenery.objects) await this.object(object, plain);
  }

  private async shapeOf(id: string): Promise<BufferGeometry | null> {
    await meshes.load(Number(id));
    return shape(Number(id));
  }

  private put(geometry: BufferGeometry, look: MeshLambertMaterial, at: Omit<SceneryMesh, "name" | "mesh">): void {
    const mesh = new Mesh(geometry, look);
    mesh.position.set(...at.place);
    mesh.quaternion.set(at.rotation[1], at.rotation[2], at.rotation[3], at.rotation[0]);
    mesh.scale.setScalar(at.scale || 1);
    // No sun comes in: rooms are lit as if they had windows.
    mesh.receiveShadow = at.kind !== "room";
    mesh.castShadow = at.kind !== "terrain" && at.kind !== "water";
    if (mesh.castShadow) this.solids.push(mesh);
    this.group.add(mesh);
  }

  private async object(object: Scenery["objects"][number], look: MeshLambertMaterial): Promise<void> {
    const holder = new Group();
    holder.position.set(...object.place);
    holder.quaternion.set(object.rotation[1], object.rotation[2], object.rotation[3], object.rotation[0]);
    holder.scale.setScalar(object.scale || 1);
    const setup = object.setup ? await setups.load(Number(object.setup)) : null;
    const rest = setup?.placements.find((placement) => placement.key === 0);
    const parts = setup?.parts.map((part, index) => ({ id: part.mesh, row: rest?.frames[index] })) ?? [];
    if (object.mesh) parts.push({ id: object.mesh, row: undefined });
    for (const { id, row } of parts) {
      const geometry = await this.shapeOf(id);
      if (!geometry) continue;
      const mesh = new Mesh(geometry, look);
      if (row) {
        mesh.position.set(row[0]!, row[1]!, row[2]!);
        mesh.quaternion.set(row[4]!, row[5]!, row[6]!, row[3]!);
      }
      mesh.castShadow = true;
      mesh.receiveShadow = true;
      this.solids.push(mesh);
      holder.add(mesh);
    }
    this.group.add(holder);
  }

  /** Where a ray meets the land or what stands on it. */
  meets(ray: Ray): Vector3 | null {
    this.ray.set(ray.origin, ray.direction);
    this.ray.far = 300;
    return this.ray.intersectObjects(this.group.children, true)[0]?.point ?? null;
  }

  /** How far a camera may be from `from` towards `to` before a wall is in between. */
  free(from: Vector3, to: Vector3): number {
    const way = to.clone().sub(from);
    const length = way.length();
    this.ray.set(from, way.normalize());
    this.ray.far = length;
    const hit = this.ray.intersectObjects(this.solids, false)[0];
    return hit ? Math.max(0.4, hit.distance - 0.25) : length;
  }
}

/** Level ground for scenes without scenery. */
export function levelGround(size = 400): Mesh {
  const look = groundMaterial(false);
  onTheme((theme) => look.color.set(theme === "dark" ? "#78808f" : "#c9c3b4"));
  const mesh = new Mesh(new PlaneGeometry(size, size), look);
  mesh.receiveShadow = true;
  return mesh;
}
