// The server of `acmotion lab`: requests over HTTP, and a WebSocket for each session.

import type { Backend, Line, LineHandlers } from "./backend";

const TOKEN_KEY = "acmotion-lab-token";

/** The token of the running server: taken from the address, and kept for reloads of this tab. */
function token(): string {
  const given = new URLSearchParams(location.search).get("token");
  if (given) sessionStorage.setItem(TOKEN_KEY, given);
  return given ?? sessionStorage.getItem(TOKEN_KEY) ?? "";
}

export class SocketBackend implements Backend {
  readonly isLocal = false;
  readonly openText = "connected";
  readonly silence = "The lab does not answer. Is `acmotion lab` still running?";

  get refusal(): string | null {
    return token() ? null : "no token: open the address that `acmotion lab` printed";
  }

  request(path: string, options?: { method: "POST"; body: File | null }): Promise<Response> {
    // Only uploads need the token.
    return options ? fetch(`${path}&token=${token()}`, options) : fetch(path);
  }

  connect(query: Record<string, string>, handlers: LineHandlers): Line {
    const parameters = new URLSearchParams({ token: token(), ...query });
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/api/live?${parameters}`);
    socket.binaryType = "arraybuffer";
    socket.onopen = () => handlers.onOpen();
    socket.onmessage = ({ data }) => handlers.onMessage(data as string | ArrayBuffer);
    socket.onclose = ({ reason }) => handlers.onClose(reason);
    return {
      get isOpen() {
        return socket.readyState === WebSocket.OPEN;
      },
      send: (text) => socket.send(text),
      close: () => socket.close(),
    };
  }
}
