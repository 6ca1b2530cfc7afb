// The light and dark themes: the system's preference, unless the user has chosen one.

export type Theme = "light" | "dark";
const THEME_KEY = "acmotion-lab-theme";
/** Colours of the current theme, by name. */
const colours = new Map<string, string>();
const listeners = new Set<(theme: Theme) => void>();
const system = matchMedia("(prefers-color-scheme: dark)");

/** The theme that the user has chosen. */
function chosenTheme(): Theme | null {
  const value = localStorage.getItem(THEME_KEY);
  return value === "light" || value === "dark" ? value : null;
}

function theme(): Theme {
  return chosenTheme() ?? (system.matches ? "dark" : "light");
}

function applyTheme(): void {
  const current = theme();
  document.documentElement.dataset.theme = current;
  colours.clear();
  for (const listener of listeners) listener(current);
}

export function startTheme(): void {
  system.addEventListener("change", applyTheme);
  applyTheme();
}

export function switchTheme(): void {
  localStorage.setItem(THEME_KEY, theme() === "dark" ? "light" : "dark");
  applyTheme();
}

/** Calls `listener` now and whenever the theme changes. */
export function onTheme(listener: (theme: Theme) => void): void {
  listeners.add(listener);
  listener(theme());
}

/** A colour of the style sheet, by the name of its variable. */
export function colour(name: string): string {
  let value = colours.get(name);
  if (value === undefined) {
    value = getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
    colours.set(name, value);
  }
  return value;
}
