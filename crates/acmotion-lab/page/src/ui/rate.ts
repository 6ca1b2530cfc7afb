// Limits how often a function runs.

export type RateLimited<A extends unknown[]> = ((...args: A) => void) & { cancel(): void };

/** Wraps `run` so that it runs at most every `interval` milliseconds, and always with the last arguments. */
export function limitRate<A extends unknown[]>(interval: number, run: (...args: A) => void): RateLimited<A> {
  let timer = 0;
  let lastRun = -Infinity;
  let latest: A;
  const call = (...args: A) => {
    latest = args;
    if (timer !== 0) return;
    timer = window.setTimeout(() => {
      timer = 0;
      lastRun = performance.now();
      run(...latest);
    }, Math.max(0, interval - (performance.now() - lastRun)));
  };
  const cancel = () => {
    clearTimeout(timer);
    timer = 0;
  };
  return Object.assign(call, { cancel });
}
