"use strict";
const byId = (id) => document.getElementById(id);
const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const metres = (value) => (value === null || value === undefined ? "–" : value.toFixed(2) + " m");
const LEFT = 56, RIGHT = 10;
const COLOURS = ["#7c93b8", "#5da271", "#c58f3d", "#a875b5", "#c96b6b", "#4fa3a8", "#8d8f4e", "#b0708f"];
const LANES = ["hook", "moveto", "ground", "snap", "teleport", "rejected", "life"];

let camera = null;
let cursor = null;

function cell(row, text, title) {
  const td = row.insertCell();
  td.textContent = text;
  if (title) td.title = title;
  return td;
}

/* Makes rows selectable by a click or with the arrow keys. */
function makeSelectable(body, count, select) {
  [...body.rows].forEach((row, index) => {
    row.tabIndex = 0;
    row.addEventListener("click", () => select(index));
    row.addEventListener("keydown", (event) => {
      const next = { ArrowDown: index + 1, ArrowUp: index - 1, Enter: index, " ": index }[event.key];
      if (next === undefined || next < 0 || next >= count) return;
      event.preventDefault();
      select(next);
      body.rows[next].focus();
    });
  });
}

function prepare(canvas) {
  const ratio = window.devicePixelRatio || 1;
  const [width, height] = [canvas.clientWidth, canvas.clientHeight];
  if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
  }
  const pen = canvas.getContext("2d");
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.clearRect(0, 0, width, height);
  pen.font = "11px system-ui, sans-serif";
  return { pen, width, height };
}

/* Returns the camera that shows all points, from above and with north up. */
function fit(points, width, height) {
  let [left, right, low, high] = [Infinity, -Infinity, Infinity, -Infinity];
  for (const point of points) {
    left = Math.min(left, point[1]); right = Math.max(right, point[1]);
    low = Math.min(low, point[2]); high = Math.max(high, point[2]);
  }
  const scale = 0.88 * Math.min(width / Math.max(right - left, 4), height / Math.max(high - low, 4));
  return { x: (left + right) / 2, y: (low + high) / 2, scale };
}

function beginMap(points) {
  const { pen, width, height } = prepare(byId("map"));
  if (points.length === 0) return null;
  camera = camera || fit(points, width, height);
  const x = (value) => width / 2 + (value - camera.x) * camera.scale;
  const y = (value) => height / 2 - (value - camera.y) * camera.scale;
  drawGrid(pen, width, height, x, y);
  return { pen, width, height, x, y };
}

function drawGrid(pen, width, height, x, y) {
  let step = 1;
  while (step * camera.scale < 45) step *= step.toString().startsWith("2") ? 2.5 : 2;
  pen.strokeStyle = css("--rule");
  pen.fillStyle = css("--soft");
  pen.lineWidth = 1;
  pen.beginPath();
  const [left, right] = [camera.x - width / 2 / camera.scale, camera.x + width / 2 / camera.scale];
  const [low, high] = [camera.y - height / 2 / camera.scale, camera.y + height / 2 / camera.scale];
  for (let at = Math.ceil(left / step) * step; at <= right; at += step) { pen.moveTo(x(at), 0); pen.lineTo(x(at), height); }
  for (let at = Math.ceil(low / step) * step; at <= high; at += step) { pen.moveTo(0, y(at)); pen.lineTo(width, y(at)); }
  pen.stroke();
  pen.textAlign = "left";
  pen.fillText("grid " + step + " m, north up", 8, height - 8);
}

/* Draws the land: floors as surfaces, walls as lines, round objects as circles. */
function drawLand({ pen, x, y }, land) {
  if (!land) return;
  pen.fillStyle = css("--floor");
  for (const corners of land.floors) {
    pen.beginPath();
    for (let at = 0; at < corners.length; at += 2) pen.lineTo(x(corners[at]), y(corners[at + 1]));
    pen.fill();
  }
  pen.strokeStyle = css("--wall");
  pen.beginPath();
  for (const [x0, y0, x1, y1] of land.walls) { pen.moveTo(x(x0), y(y0)); pen.lineTo(x(x1), y(y1)); }
  for (const [centreX, centreY, radius] of land.rounds) {
    pen.moveTo(x(centreX + radius), y(centreY));
    pen.arc(x(centreX), y(centreY), radius * camera.scale, 0, 2 * Math.PI);
  }
  pen.stroke();
}

/* Draws a path, interrupted where the body was placed. */
function drawPath({ pen, x, y }, path, colour, lineWidth) {
  pen.strokeStyle = colour;
  pen.lineWidth = lineWidth;
  pen.beginPath();
  path.forEach((point, index) => {
    const before = path[index - 1];
    const wasPlaced = before && Math.hypot(point[1] - before[1], point[2] - before[2]) > 8;
    if (!before || wasPlaced) pen.moveTo(x(point[1]), y(point[2]));
    else pen.lineTo(x(point[1]), y(point[2]));
  });
  pen.stroke();
  pen.lineWidth = 1;
}

function drawSnaps({ pen, x, y }, path, marks) {
  for (const mark of marks) {
    if (mark[1] !== "snap" && mark[1] !== "teleport") continue;
    const at = itemAt(path, mark[0]);
    if (!at) continue;
    pen.strokeStyle = css("--bad");
    pen.strokeRect(x(at[1]) - 5, y(at[2]) - 5, 10, 10);
  }
}

function dot(pen, x, y, radius) {
  pen.beginPath();
  pen.arc(x, y, radius, 0, 2 * Math.PI);
  pen.fill();
}

/* Draws a body at the cursor's time, or at the end. */
function drawBody({ pen, x, y }, path, colour) {
  const at = cursor === null ? path[path.length - 1] : itemAt(path, cursor);
  if (!at) return;
  pen.save();
  pen.translate(x(at[1]), y(at[2]));
  pen.rotate((at[4] * Math.PI) / 180);
  pen.fillStyle = colour;
  pen.beginPath();
  pen.moveTo(0, -10); pen.lineTo(6, 7); pen.lineTo(0, 3); pen.lineTo(-6, 7);
  pen.fill();
  pen.restore();
}

/* Returns the last item of a list at or before a time. */
function itemAt(list, time) {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (list[middle][0] <= time) low = middle + 1; else high = middle;
  }
  return list[Math.max(low - 1, 0)];
}

/* Returns the maximum of values, at least `floor`. */
function maximum(values, floor) {
  return values.reduce((found, value) => Math.max(found, value), floor);
}

/* Draws lines or dots over time. Each of `lines` has points of [time, value], a colour, and whether it is dots. The axis
   starts at 0 or, for heights, at the lowest. */
function drawPlot(id, { from, to }, lines, areHeights) {
  const { pen, width, height } = prepare(byId(id));
  const values = lines.flatMap((line) => line.points.map((point) => point[1]));
  const low = areHeights ? -maximum(values.map((value) => -value), -Infinity) : 0;
  if (!Number.isFinite(low)) return;
  const top = maximum(values.map((value) => value - low), areHeights ? 2 : 0.5) * 1.1;
  const x = (time) => LEFT + ((time - from) / (to - from)) * (width - LEFT - RIGHT);
  const y = (value) => height - 18 - ((value - low) / top) * (height - 26);
  pen.strokeStyle = css("--rule");
  pen.fillStyle = css("--soft");
  pen.textAlign = "right";
  for (let part = 0; part <= 2; part++) {
    const value = low + (top / 2.2) * part;
    pen.beginPath(); pen.moveTo(LEFT, y(value)); pen.lineTo(width - RIGHT, y(value)); pen.stroke();
    pen.fillText(value.toFixed(1), LEFT - 6, y(value) + 4);
  }
  drawAxis(pen, width, height, from, to, x);
  for (const { points, colour, dots, thick } of lines) {
    pen.strokeStyle = pen.fillStyle = colour;
    pen.lineWidth = thick || 1;
    if (dots) {
      for (const point of points) dot(pen, x(point[0]), y(point[1]), 2.5);
      continue;
    }
    pen.beginPath();
    points.forEach((point, index) => (index ? pen.lineTo(x(point[0]), y(point[1])) : pen.moveTo(x(point[0]), y(point[1]))));
    pen.stroke();
  }
  pen.lineWidth = 1;
  drawCursor(pen, height, x);
}

function drawAxis(pen, width, height, from, to, x) {
  pen.fillStyle = css("--soft");
  pen.textAlign = "center";
  for (let part = 0; part <= 6; part++) {
    const time = from + ((to - from) * part) / 6;
    const shown = from > 1e8 ? "+" + (time - from).toFixed(1) : time.toFixed(1);
    pen.fillText(shown + " s", Math.min(Math.max(x(time), LEFT + 14), width - RIGHT - 18), height - 4);
  }
}

function drawCursor(pen, height, x) {
  if (cursor === null) return;
  pen.strokeStyle = css("--soft");
  pen.beginPath(); pen.moveTo(x(cursor), 0); pen.lineTo(x(cursor), height - 16); pen.stroke();
}

/* Draws a bar of states. */
function drawStates(pen, states, x, top, thickness, names) {
  pen.textAlign = "left";
  for (const [start, end, name] of states) {
    const [a, b] = [x(start), Math.max(x(end), x(start) + 1)];
    pen.fillStyle = COLOURS[names.indexOf(name) % COLOURS.length];
    pen.fillRect(a, top, b - a, thickness);
    if (b - a > 7 * name.length) {
      pen.fillStyle = "#ffffff";
      pen.fillText(name, a + 4, top + thickness / 2 + 4);
    }
  }
}

/* Draws marks of [time, lane] in lanes below each other. */
function drawLanes(pen, marks, lanes, x, top, room) {
  const step = Math.min(14, room / Math.max(lanes.length, 1));
  lanes.forEach((lane, index) => {
    const y = top + index * step;
    pen.fillStyle = css("--soft");
    pen.textAlign = "right";
    pen.fillText(lane, LEFT - 4, y + 4);
    pen.fillStyle = ["snap", "rejected", "lost"].includes(lane) ? css("--bad") : css("--path");
    for (const mark of marks) if (mark[1] === lane) pen.fillRect(x(mark[0]) - 1, y - 4, 2, 9);
  });
}

/* Returns speeds averaged over a sixth of a second: bodies move by whole animation frames, so the speed of single ticks
   varies. */
function speeds(path) {
  const means = [];
  let from = 0, sum = 0;
  path.forEach((point, index) => {
    const before = path[index - 1];
    if (before && point[0] - before[0] > 0.2) means.push([before[0] + 0.1, point[5]]);
    sum += point[5];
    while (point[0] - path[from][0] > 0.17) sum -= path[from++][5];
    means.push([point[0], sum / (index - from + 1)]);
  });
  return means;
}

/* Lets the cursor follow the pointer over plots; `span` returns their time range. */
function followPointer(ids, span, draw) {
  for (const id of ids) {
    byId(id).addEventListener("pointermove", (event) => {
      const range = span();
      if (!range) return;
      const box = event.target.getBoundingClientRect();
      const share = (event.clientX - box.left - LEFT) / (box.width - LEFT - RIGHT);
      cursor = share < 0 || share > 1 ? null : range.from + share * (range.to - range.from);
      draw();
    });
    byId(id).addEventListener("pointerleave", () => { cursor = null; draw(); });
  }
}

/* Lets the mouse and keys move and zoom the map. */
function enableMapControls(draw) {
  const map = byId("map");
  map.addEventListener("wheel", (event) => {
    if (!camera) return;
    event.preventDefault();
    camera.scale *= Math.exp(-event.deltaY / 400);
    draw();
  }, { passive: false });
  map.addEventListener("pointermove", (event) => {
    if (!camera || event.buttons !== 1) return;
    camera.x -= event.movementX / camera.scale;
    camera.y += event.movementY / camera.scale;
    draw();
  });
  map.addEventListener("dblclick", () => { camera = null; draw(); });
  map.addEventListener("keydown", (event) => {
    if (!camera) return;
    const step = 40 / camera.scale;
    const moves = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, step], ArrowDown: [0, -step] };
    if (moves[event.key]) { camera.x += moves[event.key][0]; camera.y += moves[event.key][1]; }
    else if (event.key === "+") camera.scale *= 1.25;
    else if (event.key === "-") camera.scale /= 1.25;
    else if (event.key === "0") camera = null;
    else return;
    event.preventDefault();
    draw();
  });
  window.addEventListener("resize", draw);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
}
