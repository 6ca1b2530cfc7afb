// A host of static files, as plain as `python3 -m http.server`.
import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { basename, extname, join } from "node:path";

const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".txt": "text/plain" };

/** Serves the files of a folder on this machine. Resolves to the address, and a function that stops. */
export async function serve(folder) {
  const server = createServer((request, response) => {
    const name = basename(new URL(request.url, "http://localhost").pathname) || "index.html";
    readFile(join(folder, name)).then(
      (content) => response.writeHead(200, { "content-type": TYPES[extname(name)] ?? "application/octet-stream" }).end(content),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { address: `http://127.0.0.1:${server.address().port}/`, close: () => server.close() };
}
