// The page begins here.

import { get, token } from "./api";
import type { About } from "./protocol";
import { Stage } from "./scene/stage";
import { h } from "./ui/dom";
import { count } from "./ui/format";
import { Shell } from "./ui/shell";
import { startTheme } from "./ui/theme";
import { ReplayView } from "./views/replay";
import { TablesView } from "./views/tables";
import { WalkView } from "./views/walk";

function cover(title: string, ...text: string[]): void {
  document.getElementById("app")!.replaceChildren(
    h("div"),
    h("div", { class: "middle" }, h("div", { class: "cover", role: "alert" }, h("div", {}, h("h2", {}, title), ...text.map((line) => h("p", {}, line))))),
  );
}

async function start(): Promise<void> {
  startTheme();
  token();
  const stage = Stage.open();
  if (typeof stage === "string") {
    cover("No WebGL 2", stage, "Any current Firefox, Chrome, Edge or Safari has it; look whether hardware acceleration is turned off in the settings.");
    return;
  }
  let about: About;
  try {
    about = await get<About>("/api/about");
  } catch (error) {
    cover("The lab does not answer", (error as Error).message, "Start it again and open the address it prints.");
    return;
  }
  const shell = new Shell(document.getElementById("app")!, stage);
  const source = about.dat.built_in ? "built-in mannequin" : `${about.dat.name}, ${count(about.dat.objects, "object")}`;
  shell.tell(source);
  shell.add(new WalkView(about, shell, stage));
  shell.add(new ReplayView(about, shell, stage));
  shell.add(new TablesView(shell, stage));
  shell.route();
}

void start();
