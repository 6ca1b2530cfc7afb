// Sliders, checkboxes and groups of buttons.

import { h, setText } from "./dom";

export interface SliderOptions {
  id: string;
  label: string;
  min: number;
  max: number;
  step: number;
  value: number;
  /** The text shown for a value. */
  text: (value: number) => string;
  onChange: (value: number) => void;
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
      this.showValue();
      options.onChange(this.input.valueAsNumber);
    });
    this.set(options.value);
  }

  /** Sets the value, unless the user is dragging the slider. */
  set(value: number): void {
    if (this.input.matches(":active")) return;
    this.input.value = String(value);
    this.showValue();
  }

  private showValue(): void {
    const text = this.options.text(this.input.valueAsNumber);
    setText(this.output, text);
    this.input.setAttribute("aria-valuetext", text);
  }
}

/** Buttons of which one is pressed. */
export class Choice<T extends string> {
  readonly element: HTMLElement;
  private readonly buttons = new Map<T, HTMLButtonElement>();

  constructor(label: string, values: readonly T[], text: (value: T) => string, onChoose: (value: T) => void, className = "segments") {
    this.element = h("div", { class: className, role: "group", "aria-label": label });
    for (const value of values) {
      const button = h("button", { "aria-pressed": "false", "data-value": value, onclick: () => onChoose(value) }, text(value));
      this.buttons.set(value, button);
      this.element.append(button);
    }
  }

  set(value: T | null): void {
    for (const [own, button] of this.buttons) button.setAttribute("aria-pressed", String(own === value));
  }
}

export type Checkbox = HTMLElement & { set(on: boolean): void };

export function checkbox(id: string, label: string, on: boolean, onChange: (on: boolean) => void): Checkbox {
  const input = h("input", { type: "checkbox", id, checked: on });
  input.addEventListener("change", () => onChange(input.checked));
  const element = h("label", { class: "check", for: id }, input, label);
  return Object.assign(element, {
    set: (value: boolean) => {
      input.checked = value;
    },
  });
}
