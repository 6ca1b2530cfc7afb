"use strict";
const byId = (id) => document.getElementById(id);
const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const metres = (value) => (value === null || value === undefined ? "–" : value.toFixed(2) + " m");

let chosen = 0;
let camera = null;
let cursor = null;

byId("name").textContent = DATA.name;
byId("summary").textContent = DATA.summary;
document.title = "acmotion replay: " + DATA.name;

function cell(row, text, title) {
  const td = row.insertCell();
  td.textContent = text;
  if (title) td.title = title;
  return td;
}

function fillTable() {
  const body = document.querySelector("#entities tbody");
  if (DATA.entities.length === 0) {
    cell(body.insertRow(), "Nobody moved in this capture, and nobody was reported.").colSpan = 6;
    return;
  }
  DATA.entities.forEach((entity, index) => {
    const row = body.insertRow();
    row.tabIndex = 0;
    const who = cell(row, entity.name || "unnamed");
    const guid = document.createElement("div");
    guid.className = "guid";
    guid.textContent = entity.guid;
    who.append(guid);
    cell(row, entity.distance.toFixed(1) + " m");
    cell(row, entity.reports.length, entity.gap === null ? "" : "longest gap " + entity.gap.toFixed(1) + " s");
    cell(row, metres(entity.median));
    cell(row, metres(entity.p95), "worst " + metres(entity.worst));
    const snaps = cell(row, entity.snaps, entity.stalls + " stalls, " + entity.teleports + " teleports");
    if (entity.snaps > 0) snaps.className = "bad";
    row.addEventListener("click", () => choose(index));
    row.addEventListener("keydown", (event) => {
      const next = { ArrowDown: index + 1, ArrowUp: index - 1, Enter: index, " ": index }[event.key];
      if (next === undefined || !DATA.entities[next]) return;
      event.preventDefault();
      choose(next);
      body.rows[next].focus();
    });
  });
}

function choose(index) {
  chosen = index;
  camera = null;
  cursor = null;
  document.querySelectorAll("#entities tbody tr").forEach((row, at) => row.setAttribute("aria-selected", at === index));
  draw();
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

function span(entity) {
  const times = [];
  for (const list of [entity.path, entity.reports, entity.marks]) {
    if (list.length) times.push(list[0][0], list[list.length - 1][0]);
  }
  const from = Math.min(...times), to = Math.max(...times);
  return { from, to: Math.max(to, from + 1) };
}

/* The path from above: north is up. */
function fit(entity, width, height) {
  const points = entity.path.concat(entity.reports);
  let [left, right, low, high] = [Infinity, -Infinity, Infinity, -Infinity];
  for (const point of points) {
    left = Math.min(left, point[1]); right = Math.max(right, point[1]);
    low = Math.min(low, point[2]); high = Math.max(high, point[2]);
  }
  const scale = 0.88 * Math.min(width / Math.max(right - left, 4), height / Math.max(high - low, 4));
  return { x: (left + right) / 2, y: (low + high) / 2, scale };
}

function drawMap(entity) {
  const { pen, width, height } = prepare(byId("map"));
  if (entity.path.length + entity.reports.length === 0) return;
  camera = camera || fit(entity, width, height);
  const x = (value) => width / 2 + (value - camera.x) * camera.scale;
  const y = (value) => height / 2 - (value - camera.y) * camera.scale;
  drawGrid(pen, width, height, x, y);
  pen.strokeStyle = css("--path");
  pen.lineWidth = 1.5;
  pen.beginPath();
  entity.path.forEach((point, index) => {
    const before = entity.path[index - 1];
    const put = before && Math.hypot(point[1] - before[1], point[2] - before[2]) > 8;
    if (!before || put) pen.moveTo(x(point[1]), y(point[2]));
    else pen.lineTo(x(point[1]), y(point[2]));
  });
  pen.stroke();
  pen.fillStyle = css("--report");
  for (const report of entity.reports) dot(pen, x(report[1]), y(report[2]), 3);
  for (const mark of entity.marks) {
    if (mark[1] !== "snap" && mark[1] !== "teleport") continue;
    const at = near(entity.path, mark[0]);
    if (!at) continue;
    pen.strokeStyle = css("--bad");
    pen.strokeRect(x(at[1]) - 5, y(at[2]) - 5, 10, 10);
  }
  const at = cursor === null ? entity.path[entity.path.length - 1] : near(entity.path, cursor);
  if (at) arrow(pen, x(at[1]), y(at[2]), at[4]);
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
  pen.fillText("grid " + step + " m, north up", 8, height - 8);
}

function dot(pen, x, y, radius) {
  pen.beginPath();
  pen.arc(x, y, radius, 0, 2 * Math.PI);
  pen.fill();
}

function arrow(pen, x, y, heading) {
  const angle = (heading * Math.PI) / 180;
  pen.save();
  pen.translate(x, y);
  pen.rotate(angle);
  pen.fillStyle = css("--ink");
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

const LEFT = 56, RIGHT = 10;

function drawPlot(id, entity, points, colour, asDots) {
  const { pen, width, height } = prepare(byId(id));
  const { from, to } = span(entity);
  const most = Math.max(0.5, ...points.map((point) => point[1])) * 1.1;
  const x = (time) => LEFT + ((time - from) / (to - from)) * (width - LEFT - RIGHT);
  const y = (value) => height - 18 - (value / most) * (height - 26);
  pen.strokeStyle = css("--rule");
  pen.fillStyle = css("--soft");
  pen.textAlign = "right";
  for (let part = 0; part <= 2; part++) {
    const value = (most / 2.2) * part;
    pen.beginPath(); pen.moveTo(LEFT, y(value)); pen.lineTo(width - RIGHT, y(value)); pen.stroke();
    pen.fillText(value.toFixed(1), LEFT - 6, y(value) + 4);
  }
  axis(pen, width, height, from, to, x);
  pen.strokeStyle = pen.fillStyle = colour;
  if (asDots) {
    for (const point of points) dot(pen, x(point[0]), y(point[1]), 2.5);
  } else {
    pen.beginPath();
    points.forEach((point, index) => (index ? pen.lineTo(x(point[0]), y(point[1])) : pen.moveTo(x(point[0]), y(point[1]))));
    pen.stroke();
  }
  rule(pen, height, x);
}

function axis(pen, width, height, from, to, x) {
  pen.fillStyle = css("--soft");
  pen.textAlign = "center";
  for (let part = 0; part <= 6; part++) {
    const time = from + ((to - from) * part) / 6;
    const shown = from > 1e8 ? "+" + (time - from).toFixed(1) : time.toFixed(1);
    pen.fillText(shown + " s", Math.min(Math.max(x(time), LEFT), width - RIGHT - 18), height - 4);
  }
}

function rule(pen, height, x) {
  if (cursor === null) return;
  pen.strokeStyle = css("--soft");
  pen.beginPath(); pen.moveTo(x(cursor), 0); pen.lineTo(x(cursor), height - 16); pen.stroke();
}

const COLOURS = ["#7c93b8", "#5da271", "#c58f3d", "#a875b5", "#c96b6b", "#4fa3a8", "#8d8f4e", "#b0708f"];
const LANES = ["hook", "moveto", "ground", "snap", "teleport", "rejected", "life"];

function drawLine(entity) {
  const { pen, width, height } = prepare(byId("line"));
  const { from, to } = span(entity);
  const x = (time) => LEFT + ((time - from) / (to - from)) * (width - LEFT - RIGHT);
  const names = [...new Set(entity.states.map((state) => state[2]))];
  pen.textAlign = "left";
  for (const [start, end, name] of entity.states) {
    const [a, b] = [x(start), Math.max(x(end), x(start) + 1)];
    pen.fillStyle = COLOURS[names.indexOf(name) % COLOURS.length];
    pen.fillRect(a, 4, b - a, 20);
    if (b - a > 7 * name.length) {
      pen.fillStyle = "#ffffff";
      pen.fillText(name, a + 4, 18);
    }
  }
  const lanes = LANES.filter((lane) => entity.marks.some((mark) => mark[1] === lane));
  lanes.forEach((lane, index) => {
    const y = 34 + index * Math.min(14, (height - 54) / Math.max(lanes.length, 1));
    pen.fillStyle = css("--soft");
    pen.textAlign = "right";
    pen.fillText(lane, LEFT - 4, y + 4);
    pen.fillStyle = lane === "snap" || lane === "rejected" ? css("--bad") : css("--path");
    for (const mark of entity.marks) if (mark[1] === lane) pen.fillRect(x(mark[0]) - 1, y - 4, 2, 9);
  });
  axis(pen, width, height, from, to, x);
  rule(pen, height, x);
}

/* Bodies move by whole animation frames, so that a tick's speed jumps: shown is the mean over a sixth of a second. */
function speeds(entity) {
  const means = [];
  let from = 0, sum = 0;
  entity.path.forEach((point, index) => {
    const before = entity.path[index - 1];
    if (before && point[0] - before[0] > 0.2) means.push([before[0] + 0.1, point[5]]);
    sum += point[5];
    while (point[0] - entity.path[from][0] > 0.17) sum -= entity.path[from++][5];
    means.push([point[0], sum / (index - from + 1)]);
  });
  return means;
}

function draw() {
  const entity = DATA.entities[chosen];
  if (!entity) return;
  drawMap(entity);
  drawPlot("speed", entity, speeds(entity), css("--path"), false);
  const errors = entity.reports.filter((report) => report[4] !== null).map((report) => [report[0], report[4]]);
  drawPlot("error", entity, errors, css("--report"), true);
  drawLine(entity);
  tell(entity);
}

function tell(entity) {
  if (cursor === null) {
    const share = entity.moving ? ((100 * entity.backward) / entity.moving).toFixed(1) : "0";
    byId("hint").textContent = (entity.name || entity.guid) + ": " + share + " % of moving ticks backward, "
      + entity.jumped + " too far, " + entity.stalls + " stalls, " + entity.teleports + " teleports";
    return;
  }
  const at = near(entity.path, cursor);
  const state = entity.states.find((run) => run[0] <= cursor && cursor <= run[1]);
  const { from, to } = span(entity);
  const close = entity.marks.filter((mark) => Math.abs(mark[0] - cursor) < (to - from) / 200).slice(0, 4);
  byId("hint").textContent = (cursor - (from > 1e8 ? from : 0)).toFixed(2) + " s · " + (state ? state[2] : "–")
    + (at ? " · " + at[5].toFixed(2) + " m/s · heading " + at[4].toFixed(0) + "°" : "")
    + (close.length ? " · " + close.map((mark) => mark[2]).join(", ") : "");
}

function follow(event) {
  const entity = DATA.entities[chosen];
  if (!entity) return;
  const box = event.target.getBoundingClientRect();
  const { from, to } = span(entity);
  const share = (event.clientX - box.left - LEFT) / (box.width - LEFT - RIGHT);
  cursor = share < 0 || share > 1 ? null : from + share * (to - from);
  draw();
}

for (const id of ["speed", "error", "line"]) {
  byId(id).addEventListener("pointermove", follow);
  byId(id).addEventListener("pointerleave", () => { cursor = null; draw(); });
}

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

fillTable();
choose(0);
