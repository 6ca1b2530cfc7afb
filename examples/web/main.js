// @ts-check
// A mannequin that walks in circles, drawn with three.js.
import * as THREE from "three";
import { Assets, Bodies, Position, World, init } from "@acmotion/engine";

await init();
const world = new World({ player: 0x50000001, presentsBetweenTicks: true });
world.spawn(0x50000001, new Position(0xa9b40001, 12, 12, 0));
world.player.press("WalkForward", 0);
world.player.press("TurnRight", 0);

const light = new THREE.HemisphereLight(0xffffff, 0x556644, 3);
light.position.set(0, 0, 1);
const scene = new THREE.Scene().add(light);
scene.background = new THREE.Color(0xbfd0da);
scene.add(new THREE.GridHelper(48, 48).rotateX(Math.PI / 2).translateX(12).translateZ(-12));
const parts = Assets.mannequin().parts().map((mesh) => {
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.BufferAttribute(mesh?.positions ?? new Float32Array(), 3));
  geometry.setAttribute("normal", new THREE.BufferAttribute(mesh?.normals ?? new Float32Array(), 3));
  const part = new THREE.Mesh(geometry, new THREE.MeshLambertMaterial({ color: 0xd9b382 }));
  [part.matrixAutoUpdate, part.frustumCulled] = [false, false];
  scene.add(part);
  return part;
});
const camera = new THREE.PerspectiveCamera(45, innerWidth / innerHeight);
camera.up.set(0, 0, 1);
const renderer = new THREE.WebGLRenderer({ antialias: true });
renderer.setSize(innerWidth, innerHeight);
document.body.append(renderer.domElement);

const bodies = new Bodies();
renderer.setAnimationLoop((milliseconds) => {
  const now = milliseconds / 1000;
  world.advance(now);
  const { matrices, origins } = bodies.update(world, { now, smooth: true });
  parts.forEach((part, index) => {
    const [a, b, c, x, d, e, f, y, g, h, i, z] = matrices.subarray(12 * index);
    part.matrix.set(a, b, c, x, d, e, f, y, g, h, i, z, 0, 0, 0, 1);
  });
  camera.position.set(12, 4, 2.5);
  camera.lookAt(origins[0], origins[1], origins[2] + 1);
  renderer.render(scene, camera);
});
