// The frame around the views: header, tabs, theme, help, short messages.

import type { Stage } from "../scene/stage";
import { h, s, say } from "./dom";
import { Keys, type Shortcut } from "./keys";
import { switchTheme } from "./theme";

export interface View {
  name: string;
  title: string;
  element: HTMLElement;
  shortcuts: Shortcut[];
  show(): void;
  hide(): void;
  /** The part of the address behind the view's name changed. */
  go(query: URLSearchParams): void;
}

export class Shell {
  readonly keys = new Keys();
  private readonly tabs = h("nav", { class: "tabs", role: "tablist", "aria-label": "Views" });
  private readonly link = h("span", { class: "link-state wait", role: "status" }, "connecting");
  private readonly about = h("small", {});
  private readonly toast = h("div", { class: "toast", role: "alert" });
  private readonly views: View[] = [];
  private front: View | null = null;
  private timer = 0;

  constructor(
    private readonly root: HTMLElement,
    readonly stage: Stage,
  ) {
    const mark = s(
      "svg",
      { viewBox: "0 0 24 24", fill: "none", stroke: "currentColor", "stroke-width": 2.2, "stroke-linecap": "round", "stroke-linejoin": "round" },
      s("circle", { cx: 14, cy: 4, r: 2.2, fill: "currentColor", stroke: "none" }),
      s("path", { d: "M13 9l-2.5 5 4 3 1 5M10.500 14L6 20M13 9l4 3 3-.5M13 9L8.500 8.500 6.500 12" }),
    );
    const themeButton = h("button", { class: "quiet", title: "Light or dark (T)", onclick: switchTheme }, "Light / dark");
    const helpButton = h("button", { class: "quiet", title: "Keyboard shortcuts (?)", onclick: () => this.keys.help() }, "Keys ", h("kbd", {}, "?"));
    root.append(
      h(
        "header",
        { class: "top" },
        h("h1", {}, mark, h("div", {}, "acmotion ", h("span", {}, "lab"))),
        this.tabs,
        h("span", { class: "grow" }),
        this.about,
        this.link,
        themeButton,
        helpButton,
      ),
    );
    document.body.append(this.toast);
    this.keys.always(
      { keys: ["?"], shown: "?", what: "this list", group: "Everywhere", down: () => this.keys.help() },
      { keys: ["t"], shown: "T", what: "light or dark", group: "Everywhere", down: switchTheme },
    );
    // A button pressed with the mouse gives the keyboard back to the scene.
    document.addEventListener("click", (event) => {
      const target = event.target as Element | null;
      const button = target?.closest("button");
      if (button && (event as PointerEvent).detail > 0) button.blur();
    });
    addEventListener("hashchange", () => this.route());
  }

  add(view: View): void {
    const number = this.views.push(view);
    const tab = h("a", { role: "tab", href: `#${view.name}`, id: `tab-${view.name}`, title: `${view.title} (${number})` }, view.title);
    this.tabs.append(tab);
    view.element.hidden = true;
    view.element.setAttribute("role", "tabpanel");
    view.element.setAttribute("aria-labelledby", `tab-${view.name}`);
    this.root.append(view.element);
    const open = () => (location.hash = view.name);
    this.keys.always({ keys: [String(number)], shown: String(number), what: `view ${view.title}`, group: "Everywhere", down: open });
  }

  route(): void {
    const [name = "", query = ""] = location.hash.slice(1).split("?");
    const view = this.views.find((entry) => entry.name === name) ?? this.views[0]!;
    if (this.front !== view) {
      this.front?.hide();
      for (const entry of this.views) entry.element.hidden = entry !== view;
      for (const tab of this.tabs.children) tab.setAttribute("aria-selected", String(tab.id === `tab-${view.name}`));
      document.title = `${view.title} – acmotion lab`;
      this.front = view;
      this.keys.use(view.shortcuts);
      this.linked("up", "");
      view.show();
    }
    view.go(new URLSearchParams(query));
  }

  isFront(view: View): boolean {
    return this.front === view;
  }

  /** What is open, in the header. */
  tell(words: string): void {
    say(this.about, words);
  }

  linked(state: "up" | "wait" | "down", words: string): void {
    this.link.className = `link-state ${state}`;
    say(this.link, words);
    this.link.hidden = words === "";
  }

  say(words: string, bad = false): void {
    clearTimeout(this.timer);
    this.toast.className = bad ? "toast on bad" : "toast on";
    say(this.toast, words.charAt(0).toUpperCase() + words.slice(1));
    this.timer = window.setTimeout(() => (this.toast.className = bad ? "toast bad" : "toast"), bad ? 7000 : 3500);
  }
}
