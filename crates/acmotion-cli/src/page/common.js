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

/* Rows that are chosen by a click or by the arrow keys. */
function choosable(body, count, choose) {
  [...body.rows].forEach((row, index) => {
    row.tabIndex = 0;
    row.addEventListener("click", () => choose(index));
    row.addEventListener("keydown", (event) => {
      const next = { ArrowDown: index + 1, ArrowUp: index - 1, Enter: index, " ": index }[event.key];
      if (next === undefined || next < 0 || next >= count) return;
      event.preventDefault();
      choose(next);
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

/* The map from above, north up: fits what is to be seen, and says where a place is on the canvas. */
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

/* What stands about: what can be stood on as surfaces, what is upright as lines, round things as circles. */
function drawAround({ pen, x, y }, around) {
  if (!around) return;
  pen.fillStyle = css("--floor");
  for (const corners of around.floors) {
    pen.beginPath();
    for (let at = 0; at < corners.length; at += 2) pen.lineTo(x(corners[at]), y(corners[at + 1]));
    pen.fill();
  }
  pen.strokeStyle = css("--wall");
  pen.beginPath();
  for (const [x0, y0, x1, y1] of around.walls) { pen.moveTo(x(x0), y(y0)); pen.lineTo(x(x1), y(y1)); }
  for (const [middleX, middleY, radius] of around.rounds) {
    pen.moveTo(x(middleX + radius), y(middleY));
    pen.arc(x(middleX), y(middleY), radius * camera.scale, 0, 2 * Math.PI);
  }
  pen.stroke();
}

/* A path, broken where somebody was put somewhere. */
function drawPath({ pen, x, y }, path, colour, lineWidth) {
  pen.strokeStyle = colour;
  pen.lineWidth = lineWidth;
  pen.beginPath();
  path.forEach((point, index) => {
    const before = path[index - 1];
    const put = before && Math.hypot(point[1] - before[1], point[2] - before[2]) > 8;
    if (!before || put) pen.moveTo(x(point[1]), y(point[2]));
    else pen.lineTo(x(point[1]), y(point[2]));
  });
  pen.stroke();
  pen.lineWidth = 1;
}

function drawSnaps({ pen, x, y }, path, marks) {
  for (const mark of marks) {
    if (mark[1] !== "snap" && mark[1] !== "teleport") continue;
    const at = near(path, mark[0]);
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

/* Somebody, at the cursor's time or at the end. */
function drawBody({ pen, x, y }, path, colour) {
  const at = cursor === null ? path[path.length - 1] : near(path, cursor);
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

/* The last of a list at or before a time. */
function near(list, time) {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (list[middle][0] <= time) low = middle + 1; else high = middle;
  }
  return list[Math.max(low - 1, 0)];
}

function most(values, least) {
  return values.reduce((found, value) => Math.max(found, value), least);
}

/* Lines or dots over time: each of `lines` has points of [time, value], a colour, and whether it is dots. Values begin at
   0, or, of heights, at the lowest. */
function drawPlot(id, { from, to }, lines, areHeights) {
  const { pen, width, height } = prepare(byId(id));
  const values = lines.flatMap((line) => line.points.map((point) => point[1]));
  const low = areHeights ? -most(values.map((value) => -value), -Infinity) : 0;
  if (!Number.isFinite(low)) return;
  const top = most(values.map((value) => value - low), areHeights ? 2 : 0.5) * 1.1;
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

/* One bar of states. */
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

/* Lanes of marks of [time, lane], below each other. */
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

/* Bodies move by whole animation frames, so that a tick's speed jumps: shown is the mean over a sixth of a second. */
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

/* The cursor follows the pointer over plots; `span` says from when to when they go. */
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

/* The map is moved and zoomed by mouse and keys. */
function moveMap(draw) {
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
