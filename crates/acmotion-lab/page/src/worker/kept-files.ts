// Recordings that the browser keeps by their digests, so that a link can open them in another window. They stay in the browser.

/** The maximum number of recordings that are kept. The one that was not used for the longest time is dropped. */
const MAX_KEPT = 8;
const STORE = "recordings";

interface Kept {
  digest: string;
  file: File;
  /** When it was opened last, in milliseconds. */
  used: number;
}

function done<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error("the browser's storage failed"));
  });
}

function open(): Promise<IDBDatabase> {
  const request = indexedDB.open("acmotion-lab", 1);
  request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: "digest" }).createIndex("used", "used");
  return done(request);
}

/** Keeps a recording. Rejects if the browser does not, for example because there is no room. */
export async function keep(digest: string, file: File): Promise<void> {
  const database = await open();
  try {
    const store = () => database.transaction(STORE, "readwrite").objectStore(STORE);
    await done(store().put({ digest, file, used: Date.now() } satisfies Kept));
    const byUse = (await done(store().index("used").getAllKeys())) as string[];
    for (const old of byUse.slice(0, Math.max(0, byUse.length - MAX_KEPT))) await done(store().delete(old));
  } finally {
    database.close();
  }
}

/** Finds a recording; null if the browser does not have it. */
export async function find(digest: string): Promise<File | null> {
  const database = await open();
  try {
    const found = (await done(database.transaction(STORE).objectStore(STORE).get(digest))) as Kept | undefined;
    return found?.file ?? null;
  } finally {
    database.close();
  }
}
