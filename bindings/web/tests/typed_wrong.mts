// A program that must not compile: each line that says so is an error.

import { Assets, Bodies, World, decodeMessage } from "@acmotion/engine/full";

const world = new World({ player: "me" }); // wrong
world.advance("1"); // wrong
world.spawn(1, { cell: 1, x: 0, y: 0, z: 0 }); // wrong
world.order(1, { chase: "2" }, 0); // wrong
world.player.setStance("angry"); // wrong
world.events()[0]?.distance; // wrong
new Assets(); // wrong
new Bodies().matrices = new Float32Array(); // wrong
decodeMessage(new Uint8Array(), "both"); // wrong
const state: string = decodeMessage(new Uint8Array()).decoded?.["guid"]; // wrong
