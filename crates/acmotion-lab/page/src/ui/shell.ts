// The frame around the views: header, tabs, shortcuts and toasts.

import type { LinkState } from "../session/connection";
import { h, setChildren, setText, svg } from "./dom";
import { capitalised, sentence } from "./format";
import { Keys, type Shortcut } from "./keys";
import { switchTheme } from "./theme";

export interface View {
  name: string;
  title: string;
  element: HTMLElement;
  shortcuts: Shortcut[];
  show(): void;
  hide(): void;
  /** Called with the part of the address behind the view's name when it changes. */
  navigate(query: URLSearchParams): void;
}

export class Shell {
  readonly keys = new Keys();
  private readonly tabs = h("nav", { class: "tabs", role: "tablist", "aria-label": "Views" });
  private readonly linkState = h("span", { class: "link-state wait", role: "status" }, "connecting");
  private readonly source = h("small", {});
  private readonly toast = h("div", { class: "toast", role: "alert" });
  private readonly views: View[] = [];
  private front: View | null = null;
  private toastTimer = 0;
  private readonly lostTitle = h("h2", {});
  private readonly lostReason = h("p", {});
  private readonly lost = h("div", { class: "cover lost", role: "alert", hidden: true });

  constructor(private readonly root: HTMLElement) {
    const logo = svg(
      "svg",
      { viewBox: "0 0 24 24", fill: "none", stroke: "currentColor", "stroke-width": 2.2, "stroke-linecap": "round", "stroke-linejoin": "round" },
      svg("circle", { cx: 14, cy: 4, r: 2.2, fill: "currentColor", stroke: "none" }),
      svg("path", { d: "M13 9l-2.5 5 4 3 1 5M10.500 14L6 20M13 9l4 3 3-.5M13 9L8.500 8.500 6.500 12" }),
    );
    const themeButton = h("button", { class: "quiet theme", title: "Switch between light and dark (T)", onclick: switchTheme }, "Light / dark");
    const folds = createFolds(root);
    const helpButton = h("button", { class: "quiet keys", title: "Keyboard shortcuts (?)", onclick: () => this.keys.showHelp() }, "Keys ", h("kbd", {}, "?"));
    root.append(
      h(
        "header",
        { class: "top" },
        folds[0],
        h("h1", {}, logo, h("div", {}, "acmotion ", h("span", {}, "lab"))),
        this.tabs,
        h("span", { class: "grow" }),
        this.source,
        this.linkState,
        themeButton,
        helpButton,
        folds[1],
      ),
    );
    document.body.append(this.toast, this.lost);
    this.keys.addCommon(
      { keys: ["?"], shown: "?", description: "show this list", group: "Everywhere", down: () => this.keys.showHelp() },
      { keys: ["t"], shown: "T", description: "light or dark", group: "Everywhere", down: switchTheme },
    );
    // A button that was clicked with the mouse gives up the focus, so that keys control the scene again.
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
    this.keys.addCommon({ keys: [String(number)], shown: String(number), description: `show ${view.title}`, group: "Everywhere", down: open });
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
      this.keys.setView(view.shortcuts);
      this.setLinkState("up", "");
      view.show();
    }
    view.navigate(new URLSearchParams(query));
  }

  isFront(view: View): boolean {
    return this.front === view;
  }

  /** Shows what is open in the header. */
  setSource(text: string): void {
    setText(this.source, text);
  }

  /** Shows the state of the connection in the header; an empty text hides it. A lost one greys out the page until `retry` helps. */
  setLinkState(state: LinkState, text: string, retry?: () => void): void {
    const isLost = state === "down" || state === "refused";
    setText(this.lostTitle, state === "refused" ? "The lab does not open a session" : "The lab does not answer");
    if (isLost !== !this.lost.hidden) {
      this.lost.hidden = !isLost;
      const again = h("button", { class: "primary", onclick: () => retry?.() }, "Try again");
      setChildren(this.lost, h("div", {}, this.lostTitle, this.lostReason, again));
    }
    setText(this.lostReason, sentence(text));
    this.linkState.className = `link-state ${state}`;
    setText(this.linkState, text);
    this.linkState.hidden = text === "";
  }

  /** Shows a message for a few seconds. */
  showToast(text: string, isError = false): void {
    clearTimeout(this.toastTimer);
    this.toast.className = isError ? "toast on bad" : "toast on";
    setText(this.toast, capitalised(text));
    this.toastTimer = window.setTimeout(() => (this.toast.className = isError ? "toast bad" : "toast"), isError ? 7000 : 3500);
  }
}

/** The buttons that show the panels on a narrow page, where at most one of them covers the scene. */
function createFolds(root: HTMLElement): HTMLElement[] {
  const folds = ["left", "right"].map((side) => {
    const label = `Show or hide the ${side} panel`;
    return h("button", { class: `fold ${side}`, title: label, "aria-label": label, "aria-expanded": "false", onclick: () => show(root.dataset.panel === side ? "" : side) });
  });
  const show = (side: string) => {
    root.dataset.panel = side;
    for (const fold of folds) fold.setAttribute("aria-expanded", String(side !== "" && fold.classList.contains(side)));
  };
  return folds;
}
