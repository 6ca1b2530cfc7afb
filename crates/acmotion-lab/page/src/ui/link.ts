// Copies links to what is shown.

import { lab } from "../backend/backend";
import type { Shell } from "./shell";

/** Copies the address of the page with another part behind `#`, or shows it if the browser does not allow that. */
export async function copyLink(shell: Shell, fragment: string): Promise<void> {
  const link = `${location.href.replace(/[?#].*$/s, "")}#${fragment}`;
  try {
    await navigator.clipboard.writeText(link);
    shell.showToast(lab().isLocal ? "Link copied. Files that you have opened are found in this browser only." : "Link copied. It works while the lab is running on this machine and port.");
  } catch {
    shell.showToast(link);
  }
}
