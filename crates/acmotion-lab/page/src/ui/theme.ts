// Light and dark: what the system prefers, until somebody chooses.

export type Theme = "light" | "dark";
const KEY = "acmotion-lab-theme";
const colours = new Map<string, string>();
const listeners = new Set<(theme: Theme) => void>();
const system = matchMedia("(prefers-color-scheme: dark)");

function chosen(): Theme | null {
  const value = localStorage.getItem(KEY);
  return value === "light" || value === "dark" ? value : null;
}

export function theme(): Theme {
  return chosen() ?? (system.matches ? "dark" : "light");
}

function tell(): void {
  const now = theme();
  document.documentElement.dataset.theme = now;
  colours.clear();
  for (const listener of listeners) listener(now);
}

export function startTheme(): void {
  system.addEventListener("change", tell);
  tell();
}

export function switchTheme(): void {
  localStorage.setItem(KEY, theme() === "dark" ? "light" : "dark");
  tell();
}

/** Calls back now and whenever the theme changes. */
export function onTheme(listener: (theme: Theme) => void): void {
  listeners.add(listener);
  listener(theme());
}

/** A colour of the style sheet, by its variable's name. */
export function colour(name: string): string {
  let value = colours.get(name);
  if (value === undefined) {
    value = getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
    colours.set(name, value);
  }
  return value;
}
