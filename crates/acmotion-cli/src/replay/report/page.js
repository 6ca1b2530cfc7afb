
let selected = 0;

byId("name").textContent = DATA.name;
byId("summary").textContent = DATA.summary;
document.title = "acmotion replay: " + DATA.name;

function fillTable() {
  const body = document.querySelector("#entities tbody");
  if (DATA.entities.length === 0) {
    cell(body.insertRow(), "No entity moved or was reported in this capture.").colSpan = 6;
    return;
  }
  for (const entity of DATA.entities) {
    const row = body.insertRow();
    const label = cell(row, entity.name || "unnamed");
    const guid = document.createElement("div");
    guid.className = "guid";
    guid.textContent = entity.guid;
    label.append(guid);
    cell(row, entity.distance.toFixed(1) + " m");
    cell(row, entity.reports.length, entity.gap === null ? "" : "longest gap " + entity.gap.toFixed(1) + " s");
    cell(row, metres(entity.median));
    cell(row, metres(entity.p95), "worst " + metres(entity.worst));
    const snaps = cell(row, entity.snaps, entity.stalls + " stalls, " + entity.teleports + " teleports");
    if (entity.snaps > 0) snaps.className = "bad";
  }
  makeSelectable(body, DATA.entities.length, select);
}

function select(index) {
  selected = index;
  camera = null;
  cursor = null;
  document.querySelectorAll("#entities tbody tr").forEach((row, at) => row.setAttribute("aria-selected", at === index));
  draw();
}

function span() {
  const entity = DATA.entities[selected];
  if (!entity) return null;
  const times = [];
  for (const list of [entity.path, entity.reports, entity.marks]) {
    if (list.length) times.push(list[0][0], list[list.length - 1][0]);
  }
  const from = Math.min(...times), to = Math.max(...times);
  return { from, to: Math.max(to, from + 1) };
}

function drawMap(entity) {
  const map = beginMap(entity.path.concat(entity.reports));
  if (!map) return;
  drawPath(map, entity.path, css("--path"), 1.5);
  map.pen.fillStyle = css("--report");
  for (const report of entity.reports) dot(map.pen, map.x(report[1]), map.y(report[2]), 3);
  drawSnaps(map, entity.path, entity.marks);
  drawBody(map, entity.path, css("--ink"));
}

function drawLine(entity) {
  const { pen, width, height } = prepare(byId("line"));
  const { from, to } = span();
  const x = (time) => LEFT + ((time - from) / (to - from)) * (width - LEFT - RIGHT);
  drawStates(pen, entity.states, x, 4, 20, [...new Set(entity.states.map((state) => state[2]))]);
  const lanes = LANES.filter((lane) => entity.marks.some((mark) => mark[1] === lane));
  drawLanes(pen, entity.marks, lanes, x, 34, height - 54);
  drawAxis(pen, width, height, from, to, x);
  drawCursor(pen, height, x);
}

function draw() {
  const entity = DATA.entities[selected];
  if (!entity) return;
  drawMap(entity);
  drawPlot("speed", span(), [{ points: speeds(entity.path), colour: css("--path") }]);
  const errors = entity.reports.filter((report) => report[4] !== null).map((report) => [report[0], report[4]]);
  drawPlot("error", span(), [{ points: errors, colour: css("--report"), dots: true }]);
  drawLine(entity);
  showHint(entity);
}

function showHint(entity) {
  if (cursor === null) {
    const share = entity.moving ? ((100 * entity.backward) / entity.moving).toFixed(1) : "0";
    byId("hint").textContent = (entity.name || entity.guid) + ": " + share + " % of moving ticks backward, "
      + entity.jumped + " too far, " + entity.stalls + " stalls, " + entity.teleports + " teleports";
    return;
  }
  const at = itemAt(entity.path, cursor);
  const state = entity.states.find((run) => run[0] <= cursor && cursor <= run[1]);
  const { from, to } = span();
  const close = entity.marks.filter((mark) => Math.abs(mark[0] - cursor) < (to - from) / 200).slice(0, 4);
  byId("hint").textContent = (cursor - (from > 1e8 ? from : 0)).toFixed(2) + " s · " + (state ? state[2] : "–")
    + (at ? " · " + at[5].toFixed(2) + " m/s · heading " + at[4].toFixed(0) + "°" : "")
    + (close.length ? " · " + close.map((mark) => mark[2]).join(", ") : "");
}

followPointer(["speed", "error", "line"], span, draw);
enableMapControls(draw);
fillTable();
select(0);
