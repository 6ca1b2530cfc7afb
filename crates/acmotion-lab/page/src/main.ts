// The entry point of the page.

import { get } from "./api";
import { lab } from "./backend/backend";
import type { About } from "./protocol";
import { Viewport } from "./scene/viewport";
import { h } from "./ui/dom";
import { Drops } from "./ui/drops";
import { OpenFiles } from "./ui/files";
import { count } from "./ui/format";
import { Shell } from "./ui/shell";
import { startTheme } from "./ui/theme";
import { ReplayView } from "./views/replay";
import { TablesView } from "./views/tables";
import { WalkView } from "./views/walk";

/** Shows a message instead of the views. */
function showCover(title: string, ...lines: string[]): void {
  document.getElementById("app")!.replaceChildren(
    h("div"),
    h("div", { class: "middle" }, h("div", { class: "cover", role: "alert" }, h("div", {}, h("h2", {}, title), ...lines.map((line) => h("p", {}, line))))),
  );
}

async function start(): Promise<void> {
  startTheme();
  const drops = new Drops();
  const viewport = Viewport.open();
  if (!viewport) {
    showCover(
      "No WebGL 2",
      "This browser does not support WebGL 2, which the lab needs to draw the scene.",
      "Every current Firefox, Chrome, Edge and Safari supports it. Check whether hardware acceleration is turned off in the settings.",
    );
    return;
  }
  let about: About;
  try {
    about = await get<About>("/api/about");
  } catch (error) {
    showCover("The lab does not answer", (error as Error).message, lab().isLocal ? "Load the page again." : "Start it again and open the address that it prints.");
    return;
  }
  const shell = new Shell(document.getElementById("app")!);
  shell.setSource(about.dat.built_in ? "built-in mannequin" : `${about.dat.name}, ${count(about.dat.objects, "object")}`);
  shell.add(new WalkView(about, shell, viewport));
  const files = new OpenFiles(about);
  shell.add(new ReplayView(about, shell, viewport, files, drops));
  shell.add(new TablesView(shell, viewport, files));
  shell.route();
}

void start();
