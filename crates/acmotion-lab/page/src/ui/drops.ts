// Files that are dropped anywhere on the page. The page listens from its first moment on, because a file that is dropped while the
// lab still starts would replace the page; such a file waits until a view takes it.

export class Drops {
  private waiting: File | null = null;
  private taker: ((file: File) => void) | null = null;

  constructor() {
    addEventListener("dragover", (event) => {
      event.preventDefault();
      document.body.classList.add("dropping");
    });
    addEventListener("dragleave", (event) => {
      if (!event.relatedTarget) document.body.classList.remove("dropping");
    });
    addEventListener("drop", (event) => {
      event.preventDefault();
      document.body.classList.remove("dropping");
      const file = event.dataTransfer?.files[0];
      if (!file) return;
      if (this.taker) this.taker(file);
      else this.waiting = file;
    });
  }

  /** Calls a function with the file that waits, if there is one, and with every later one. */
  take(taker: (file: File) => void): void {
    this.taker = taker;
    if (this.waiting) taker(this.waiting);
    this.waiting = null;
  }
}
