// Everything that does not move: terrain with a metre grid, water, rooms, buildings, objects.

import {
  BufferAttribute,
  BufferGeometry,
  Color,
  FrontSide,
  Group,
  Mesh,
  MeshLambertMaterial,
  Plane,
  PlaneGeometry,
  Raycaster,
  Vector3,
  type Object3D,
  type Ray,
} from "three";
import { objectsOf, type DatObjects } from "../api";
import type { Scenery, SceneryMesh, SceneryObject } from "../protocol";
import { onTheme } from "../ui/theme";
import { geometryOf } from "./parts";

/** Uniforms that all scenery shares: the brightness, and the colour of grid lines. */
const brightness = { value: 1 };
const gridColour = { value: new Color("#000000") };
/** What is in front of these planes is cut away. They are far away while nothing is. */
const FAR = 1e6;
const ceiling = new Plane(new Vector3(0, 0, -1), FAR);
const front = new Plane(new Vector3(0, 1, 0), FAR);
/** How far a ray is followed, in metres. */
const MAX_RAY_LENGTH = 300;

/** Ground with a thin line every metre and a stronger one every ten, so that distances can be judged by eye. */
function groundMaterial(coloured: boolean): MeshLambertMaterial {
  const material = new MeshLambertMaterial({ vertexColors: coloured, color: coloured ? "#ffffff" : "#c9c3b4" });
  material.onBeforeCompile = (shader) => {
    shader.uniforms.gridColour = gridColour;
    shader.uniforms.brightness = brightness;
    shader.vertexShader = shader.vertexShader
      .replace("#include <common>", "#include <common>\nvarying vec3 onGround;")
      .replace("#include <project_vertex>", "#include <project_vertex>\nonGround = (modelMatrix * vec4(transformed, 1.0)).xyz;");
    shader.fragmentShader = shader.fragmentShader
      .replace(
        "#include <common>",
        `#include <common>
        varying vec3 onGround; uniform vec3 gridColour; uniform float brightness;
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
        diffuseColor.rgb *= brightness;
        float marks = max(grid(1.0, 1.1) * 0.10, grid(10.0, 1.6) * 0.26);
        diffuseColor.rgb = mix(diffuseColor.rgb, gridColour, marks);`,
      );
  };
  return material;
}

/** Scenery in the colours of the dat file, darker in the dark theme. */
function plainMaterial(): MeshLambertMaterial {
  const material = new MeshLambertMaterial({ vertexColors: true, side: FrontSide, shadowSide: FrontSide });
  material.onBeforeCompile = (shader) => {
    shader.uniforms.brightness = brightness;
    shader.fragmentShader = shader.fragmentShader
      .replace("#include <common>", "#include <common>\nuniform float brightness;")
      .replace("#include <color_fragment>", "#include <color_fragment>\ndiffuseColor.rgb *= brightness;");
  };
  return material;
}

export function buildGeometry({ positions, indices, colours: ranges }: SceneryMesh): BufferGeometry {
  const corners = new Float32Array(indices.length * 3);
  const colours = new Float32Array(indices.length * 3);
  indices.forEach((vertex, corner) => {
    for (let axis = 0; axis < 3; axis++) corners[corner * 3 + axis] = positions[vertex * 3 + axis] ?? 0;
  });
  const colour = new Color();
  for (const { first, count, colour: value } of ranges) {
    colour.setHex(Number(value) & 0xffffff);
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
  /** What the camera must not look through. */
  private readonly solids: Object3D[] = [];
  private readonly ray = new Raycaster();
  private objects: DatObjects = objectsOf(0);
  /** Counts the calls of `show`: only the last one may add anything. */
  private shows = 0;

  constructor() {
    onTheme((theme) => {
      brightness.value = theme === "dark" ? 0.68 : 1;
      gridColour.value.set(theme === "dark" ? "#93a5c2" : "#2b2a26");
    });
  }

  /** Shows scenery; null shows none. */
  async show(scenery: Scenery | null): Promise<void> {
    const show = ++this.shows;
    this.objects = objectsOf(scenery?.dat ?? 0);
    const ground = groundMaterial(true);
    const plain = plainMaterial();
    ground.clippingPlanes = [ceiling];
    plain.clippingPlanes = [ceiling, front];
    const water = new MeshLambertMaterial({ color: "#3f86b5", transparent: true, opacity: 0.72 });
    this.clear();
    for (const entry of scenery?.meshes ?? []) {
      const geometry = entry.mesh ? await this.loadGeometry(entry.mesh) : buildGeometry(entry);
      if (show !== this.shows) return;
      if (!geometry) continue;
      const material = entry.kind === "terrain" ? ground : entry.kind === "water" ? water : plain;
      this.addMesh(geometry, material, entry);
    }
    for (const object of scenery?.objects ?? []) {
      const holder = await this.createObject(object, plain);
      if (show !== this.shows) return;
      holder.traverse((mesh) => mesh instanceof Mesh && this.solids.push(mesh));
      this.addStill(holder);
    }
  }

  /** Adds something that stays where it is: its matrices are not computed again in each frame. */
  private addStill(object: Object3D): void {
    this.group.add(object);
    object.updateMatrixWorld(true);
    object.traverse((part) => (part.matrixAutoUpdate = false));
  }

  private async loadGeometry(id: string): Promise<BufferGeometry | null> {
    await this.objects.meshes.load(Number(id));
    return geometryOf(this.objects, Number(id));
  }

  private addMesh(geometry: BufferGeometry, material: MeshLambertMaterial, { kind, position, rotation }: SceneryMesh): void {
    const mesh = new Mesh(geometry, material);
    mesh.position.set(...position);
    mesh.quaternion.set(rotation[1], rotation[2], rotation[3], rotation[0]);
    // Rooms get light everywhere; with shadows they would be dark, since walls block the sun.
    mesh.receiveShadow = kind !== "room";
    mesh.castShadow = kind !== "terrain" && kind !== "water";
    if (mesh.castShadow) this.solids.push(mesh);
    this.addStill(mesh);
  }

  private async createObject(object: SceneryObject, material: MeshLambertMaterial): Promise<Group> {
    const holder = new Group();
    holder.position.set(...object.position);
    holder.quaternion.set(object.rotation[1], object.rotation[2], object.rotation[3], object.rotation[0]);
    const setup = object.setup ? await this.objects.setups.load(Number(object.setup)) : null;
    const placement = setup?.placements.find(({ key }) => key === 0);
    const parts = setup?.parts.map((part, index) => ({ id: part.mesh, row: placement?.frames[index] })) ?? [];
    if (object.mesh) parts.push({ id: object.mesh, row: undefined });
    for (const { id, row } of parts) {
      const geometry = await this.loadGeometry(id);
      if (!geometry) continue;
      const mesh = new Mesh(geometry, material);
      if (row) {
        mesh.position.set(row[0], row[1], row[2]);
        mesh.quaternion.set(row[4], row[5], row[6], row[3]);
      }
      mesh.castShadow = true;
      mesh.receiveShadow = true;
      holder.add(mesh);
    }
    return holder;
  }

  /** Removes what is above a height, and what is between a camera and a point, so that rooms can be looked into; null shows all. */
  cut(cut: { ceiling: number; at: Vector3; towards: Vector3; distance: number } | null): void {
    ceiling.constant = cut?.ceiling ?? FAR;
    front.constant = FAR;
    if (!cut) return;
    front.normal.set(-cut.towards.x, -cut.towards.y, 0).normalize();
    front.constant = cut.distance - front.normal.dot(cut.at);
  }

  /** Shows nothing. */
  clear(): void {
    this.group.clear();
    this.solids.length = 0;
  }

  /** The point where a ray hits the land or something on it. */
  intersect(ray: Ray): Vector3 | null {
    this.ray.set(ray.origin, ray.direction);
    this.ray.far = MAX_RAY_LENGTH;
    return this.ray.intersectObjects(this.group.children, true)[0]?.point ?? null;
  }

  /** How far a camera at `to` may be from `from` without a wall in between, in metres. */
  freeDistance(from: Vector3, to: Vector3): number {
    const offset = to.clone().sub(from);
    const length = offset.length();
    this.ray.set(from, offset.normalize());
    this.ray.far = length;
    const hit = this.ray.intersectObjects(this.solids, false)[0];
    return hit ? Math.max(0.4, hit.distance - 0.25) : length;
  }
}

/** Level ground for scenes without scenery, `size` metres wide. */
export function levelGround(size: number): Mesh {
  const material = groundMaterial(false);
  onTheme((theme) => material.color.set(theme === "dark" ? "#78808f" : "#c9c3b4"));
  const mesh = new Mesh(new PlaneGeometry(size, size), material);
  mesh.receiveShadow = true;
  return mesh;
}
