// Settings of the page that survive a reload. They are kept in the browser.

const PREFIX = "acmotion-lab-";

/** A switch that the browser remembers. */
export class Switch {
  private readonly listeners: ((on: boolean) => void)[] = [];
  private on: boolean;

  constructor(
    private readonly name: string,
    fallback: boolean,
  ) {
    const saved = localStorage.getItem(PREFIX + name);
    this.on = saved === null ? fallback : saved === "on";
  }

  get value(): boolean {
    return this.on;
  }

  set(on: boolean): void {
    this.on = on;
    localStorage.setItem(PREFIX + this.name, on ? "on" : "off");
    for (const listener of this.listeners) listener(on);
  }

  /** Calls a function with the value now and whenever it changes. */
  watch(listener: (on: boolean) => void): void {
    this.listeners.push(listener);
    listener(this.on);
  }
}
