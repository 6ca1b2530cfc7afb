
const VIEW_COLOURS = ["#d9822b", "#2f9e6e", "#a05fc0", "#c94f7c", "#8a8f2e", "#3c9bb5"];
const MAX_ROWS = 400;

let selected = 0;
const hidden = new Set();

byId("name").textContent = (DATA.title ? DATA.title + " · " : "") + DATA.name;
byId("summary").textContent = DATA.summary;
document.title = "acmotion simulate: " + (DATA.title || DATA.name);

const views = [...new Set(DATA.actors.flatMap((actor) => actor.seen.map((shown) => shown.view)))];
const colourOf = (view) => VIEW_COLOURS[views.indexOf(view) % VIEW_COLOURS.length];
const span = () => ({ from: 0, to: DATA.seconds });
const visible = (actor) => actor.seen.filter((shown) => !hidden.has(shown.view));

/* One row for each view of each entity; any of its rows selects the entity. */
const rows = DATA.actors.flatMap((actor, index) => actor.seen.map((shown) => ({ actor, index, shown })));

function fillTable() {
  const body = document.querySelector("#actors tbody");
  if (rows.length === 0) {
    cell(body.insertRow(), "No entity is shown by another view in this scenario.").colSpan = 6;
    return;
  }
  for (const { actor, shown } of rows) {
    const row = body.insertRow();
    const label = cell(row, actor.name, actor.guid + ", truth: " + actor.truth.view);
    const by = document.createElement("span");
    by.className = "guid";
    by.textContent = " by " + shown.view;
    by.style.borderLeft = "3px solid " + colourOf(shown.view);
    by.style.paddingLeft = "4px";
    by.style.marginLeft = "6px";
    label.append(by);
    cell(row, metres(shown.error.mean));
    cell(row, metres(shown.error.p95));
    cell(row, metres(shown.error.worst));
    const delayed = "message delay " + (1000 * shown.delay).toFixed(0) + " ms; 95 %: " + metres(shown.delayed.p95) + ", worst: " + metres(shown.delayed.worst);
    cell(row, metres(shown.delayed.mean), delayed);
    const snaps = cell(row, shown.snaps, shown.teleports + " teleports, " + shown.backward + " of " + shown.moving + " ticks backward");
    if (shown.snaps > 0) snaps.className = "bad";
  }
  makeSelectable(body, rows.length, (row) => select(rows[row].index));
}

function select(index) {
  selected = index;
  camera = null;
  cursor = null;
  document.querySelectorAll("#actors tbody tr").forEach((row, at) => {
    if (rows[at]) row.setAttribute("aria-selected", rows[at].index === index);
  });
  fillLegend();
  fillSolids();
  fillMessages();
  draw();
}

function fillLegend() {
  const actor = DATA.actors[selected];
  byId("legend").replaceChildren();
  if (!actor) return;
  const entry = (name, colour, view) => {
    const label = document.createElement("label");
    const key = document.createElement("i");
    key.style.background = colour;
    if (view !== null) {
      const box = document.createElement("input");
      box.type = "checkbox";
      box.checked = !hidden.has(view);
      box.addEventListener("change", () => { if (box.checked) hidden.delete(view); else hidden.add(view); draw(); });
      label.append(box);
    }
    label.append(key, name);
    byId("legend").append(label);
  };
  entry("truth (" + actor.truth.view + ")", css("--path"), null);
  for (const shown of actor.seen) entry("shown by " + shown.view, colourOf(shown.view), shown.view);
}

/* Shows how often the entity was inside something solid. Checked only if the ground is more than a plane. */
function fillSolids() {
  const found = DATA.actors[selected] && DATA.actors[selected].solids;
  const note = byId("solids");
  note.hidden = !found;
  if (!found) return;
  note.textContent = DATA.actors[selected].name + " in solids: " + found.inside + " of " + found.ticks.toLocaleString("en") + " ticks.";
  note.classList.toggle("bad", found.inside > 0);
}

/* Returns the messages of the entity's own client, and those of the server about the entity. */
function messagesOf(actor) {
  return DATA.messages.filter((message) => message[4] === actor.name || message[1] === actor.truth.view && message[1] !== "server");
}

function fillMessages() {
  const actor = DATA.actors[selected];
  const body = document.querySelector("#messages tbody");
  body.replaceChildren();
  if (!actor) return;
  byId("about").textContent = actor.name;
  const list = messagesOf(actor);
  if (list.length === 0) cell(body.insertRow(), "None.").colSpan = 5;
  for (const [time, from, to, name, , arrives, losses] of list.slice(0, MAX_ROWS)) {
    const row = body.insertRow();
    cell(row, time.toFixed(2) + " s");
    cell(row, name);
    cell(row, from);
    cell(row, to);
    const took = cell(row, arrives === null ? "lost" : (1000 * (arrives - time)).toFixed(0) + " ms", losses ? "lost " + losses + (losses === 1 ? " time" : " times") : "");
    if (arrives === null || losses > 0) took.className = "bad";
  }
  if (list.length > MAX_ROWS) cell(body.insertRow(), "and " + (list.length - MAX_ROWS) + " more").colSpan = 5;
}

function drawMap(actor) {
  const all = [actor.truth].concat(visible(actor));
  const map = beginMap(all.flatMap((shown) => shown.path));
  if (!map) return;
  drawLand(map, DATA.around);
  drawPath(map, actor.truth.path, css("--path"), 3);
  for (const shown of visible(actor)) drawPath(map, shown.path, colourOf(shown.view), 1.3);
  for (const shown of visible(actor)) {
    map.pen.fillStyle = colourOf(shown.view);
    for (const report of shown.reports) dot(map.pen, map.x(report[1]), map.y(report[2]), 2.5);
    drawSnaps(map, shown.path, shown.marks);
    drawBody(map, shown.path, colourOf(shown.view));
  }
  drawBody(map, actor.truth.path, css("--path"));
}

const BAR = 15, LANE = 13;

function drawLine(actor) {
  const all = [actor.truth].concat(visible(actor));
  const marks = all.flatMap((shown) => shown.marks);
  const messages = messagesOf(actor).map((message) => [message[0], message[5] === null ? "lost" : message[6] > 0 ? "late" : "sent"]);
  const lanes = LANES.filter((lane) => lane !== "hook" && marks.some((mark) => mark[1] === lane))
    .concat(["sent", "late", "lost"].filter((lane) => messages.some((mark) => mark[1] === lane)));
  const below = 4 + all.length * (BAR + 3) + 10;
  byId("line").style.height = below + lanes.length * LANE + 18 + "px";
  const { pen, width, height } = prepare(byId("line"));
  const { from, to } = span();
  const x = (time) => LEFT + ((time - from) / (to - from)) * (width - LEFT - RIGHT);
  const names = [...new Set(all.flatMap((shown) => shown.states.map((state) => state[2])))];
  all.forEach((shown, index) => {
    const top = 4 + index * (BAR + 3);
    drawStates(pen, shown.states, x, top, BAR, names);
    pen.fillStyle = index === 0 ? css("--path") : colourOf(shown.view);
    pen.fillRect(LEFT - 8, top, 4, BAR);
    pen.fillStyle = css("--soft");
    pen.textAlign = "right";
    pen.fillText(index === 0 ? "truth" : shown.view.slice(0, 7), LEFT - 11, top + BAR / 2 + 4);
  });
  drawLanes(pen, marks.concat(messages), lanes, x, below, lanes.length * LANE);
  drawAxis(pen, width, height, from, to, x);
  drawCursor(pen, height, x);
}

function draw() {
  const actor = DATA.actors[selected];
  if (!actor) return;
  const delayed = byId("delayed").checked;
  byId("which").textContent = delayed ? "m from the truth one mean message delay earlier" : "m from the truth at the same time";
  drawMap(actor);
  drawPlot("error", span(), visible(actor).map((shown) => ({
    points: shown.errors.filter((error) => !delayed || error[2] !== null).map((error) => [error[0], delayed ? error[2] : error[1]]),
    colour: colourOf(shown.view),
  })));
  const truth = { points: speeds(actor.truth.path), colour: css("--path"), thick: 2 };
  drawPlot("speed", span(), [truth].concat(visible(actor).map((shown) => ({ points: speeds(shown.path), colour: colourOf(shown.view) }))));
  const heights = (path) => path.map((point) => [point[0], point[3]]);
  drawPlot("height", span(), [{ points: heights(actor.truth.path), colour: css("--path"), thick: 2 }].concat(
    visible(actor).map((shown) => ({ points: heights(shown.path), colour: colourOf(shown.view) }))), true);
  drawLine(actor);
  showHint(actor);
}

function showHint(actor) {
  if (cursor === null) {
    byId("hint").textContent = actor.name + " (" + actor.guid + "): truth " + actor.truth.view + ", shown by "
      + (actor.seen.map((shown) => shown.view).join(", ") || "no other view");
    return;
  }
  const parts = visible(actor).map((shown) => {
    const error = itemAt(shown.errors, cursor);
    const state = shown.states.find((run) => run[0] <= cursor && cursor <= run[1]);
    return shown.view + ": " + (state ? state[2] : "–") + (error ? ", " + error[1].toFixed(2) + " m off" : "");
  });
  const at = itemAt(actor.truth.path, cursor);
  const state = actor.truth.states.find((run) => run[0] <= cursor && cursor <= run[1]);
  byId("hint").textContent = cursor.toFixed(2) + " s · " + (state ? state[2] : "–")
    + (at ? ", " + at[5].toFixed(2) + " m/s, height " + metres(at[3]) : "") + " · " + parts.join(" · ");
}

byId("delayed").addEventListener("change", draw);
followPointer(["speed", "height", "error", "line"], span, draw);
enableMapControls(draw);
fillTable();
select(0);
