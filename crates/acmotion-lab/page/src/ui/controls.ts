// Sliders, switches, rows of buttons.

import { h, say } from "./dom";

export interface SliderOptions {
  id: string;
  label: string;
  min: number;
  max: number;
  step: number;
  value: number;
  text: (value: number) => string;
  change: (value: number) => void;
}

export class Slider {
  readonly element: HTMLElement;
  private readonly input: HTMLInputElement;
  private readonly output: HTMLOutputElement;

  constructor(private readonly options: SliderOptions) {
    const { id, label, min, max, step } = options;
    this.input = h("input", { type: "range", id, min, max, step });
    this.output = h("output", { for: id });
    this.element = h("div", { class: "slider" }, h("label", { for: id }, label), this.output, this.input);
    this.input.addEventListener("input", () => {
      this.show();
      options.change(this.input.valueAsNumber);
    });
    this.set(options.value);
  }

  /** What the server says it is; a hand on the slider wins. */
  set(value: number): void {
    if (this.input.matches(":active")) return;
    this.input.value = String(value);
    this.show();
  }

  private show(): void {
    const text = this.options.text(this.input.valueAsNumber);
    say(this.output, text);
    this.input.setAttribute("aria-valuetext", text);
  }
}

/** Buttons of which one is on. */
export class Choice<T extends string> {
  readonly element: HTMLElement;
  private readonly buttons = new Map<T, HTMLButtonElement>();

  constructor(name: string, values: readonly T[], text: (value: T) => string, choose: (value: T) => void, kind = "segments") {
    this.element = h("div", { class: kind, role: "group", "aria-label": name });
    for (const value of values) {
      const button = h("button", { "aria-pressed": "false", "data-value": value, onclick: () => choose(value) }, text(value));
      this.buttons.set(value, button);
      this.element.append(button);
    }
  }

  set(value: T | null): void {
    for (const [name, button] of this.buttons) button.setAttribute("aria-pressed", String(name === value));
  }
}

export function check(id: string, label: string, on: boolean, change: (on: boolean) => void): HTMLElement & { set(on: boolean): void } {
  const input = h("input", { type: "checkbox", id, checked: on });
  input.addEventListener("change", () => change(input.checked));
  const element = h("label", { class: "check", for: id }, input, label);
  return Object.assign(element, { set: (value: boolean) => (input.checked = value) });
}
