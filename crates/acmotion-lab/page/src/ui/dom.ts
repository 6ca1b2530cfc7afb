// Creates elements: `h("button", { class: "quiet", onclick: f }, "Text")`.

type Child = Node | string | number | null | undefined | false;
type Attributes = Record<string, unknown>;

/** Creates an HTML element. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  apply(element, attributes);
  append(element, children);
  return element;
}

/** Creates an SVG element. */
export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): SVGElementTagNameMap[K] {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  apply(element, attributes);
  append(element, children);
  return element;
}

function apply(element: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on") && typeof value === "function") {
      element.addEventListener(name.slice(2), value as EventListener);
    } else if (name === "style") {
      // The content security policy forbids the attribute, but not the property.
      (element as HTMLElement).style.cssText = String(value);
    } else {
      element.setAttribute(name, value === true ? "" : String(value));
    }
  }
}

function append(element: Element, children: Child[]): void {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    element.append(typeof child === "number" ? String(child) : child);
  }
}

/** Sets the text of an element. An unchanged text costs no layout. */
export function setText(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

/** Replaces the children of an element. */
export function setChildren(element: Element, ...children: Child[]): void {
  element.replaceChildren();
  append(element, children);
}

/** Lets the browser save a file. */
export function saveFile(file: Blob, name: string): void {
  const link = h("a", { href: URL.createObjectURL(file), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
