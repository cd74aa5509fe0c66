import { type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import type { LookupFunction } from "node:net";
import { OutgoingError } from "./outgoing-error.ts";
import type { OutgoingHeaders } from "./request-headers.ts";
import type { HostAddress } from "./resolve-host.ts";

/** A request with a checked URL and headers. */
export type PreparedRequest = {
  readonly url: URL;
  readonly method: string;
  readonly headers: OutgoingHeaders;
  readonly body: string | Uint8Array | undefined;
};

const maxHeaderSize = 32 * 1024;

/** Sends one request to the given addresses; resolves with the response head. The caller reads or closes the body. */
export const openRequest = (
  { url, method, headers, body }: PreparedRequest,
  addresses: readonly HostAddress[],
  signal: AbortSignal,
): Promise<IncomingMessage> => {
  const send = url.protocol === "https:" ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const request = send(url, {
      method,
      headers: body === undefined ? headers : { ...headers, "content-length": measureBody(body) },
      signal,
      agent: false,
      maxHeaderSize,
      lookup: pinned(addresses),
    });
    const fail = (error: unknown) => {
      reject(describe(error, url));
      request.destroy();
    };
    request.on("error", fail);
    request.on("response", resolve);
    request.on("upgrade", (_response, socket) => {
      socket.destroy();
      fail(new OutgoingError("connection-failed", `${url.host} changed the protocol.`, url.host));
    });
    request.end(body);
  });
};

/** Node sets the header for some methods only; without it a body is parsed as the next request. */
const measureBody = (body: string | Uint8Array): string =>
  String(typeof body === "string" ? Buffer.byteLength(body) : body.byteLength);

const pinned =
  (addresses: readonly HostAddress[]): LookupFunction =>
  (_hostname, options, callback) => {
    const [first] = addresses;
    if (options.all) callback(null, [...addresses]);
    else callback(null, first?.address ?? "", first?.family);
  };

/** Yields the bytes of a response body. Throws an OutgoingError over `maxBytes`; closes the connection at the end. */
export async function* readBody(
  response: IncomingMessage,
  url: URL,
  maxBytes: number,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const tooLarge = () =>
    new OutgoingError("too-large", `${url.host} sent more than ${maxBytes} bytes.`, url.host);
  try {
    if (Number(response.headers["content-length"] ?? 0) > maxBytes) throw tooLarge();
    let size = 0;
    for await (const chunk of response) {
      const bytes = Buffer.from(chunk);
      size += bytes.length;
      if (size > maxBytes) throw tooLarge();
      yield bytes;
    }
  } catch (error) {
    throw describe(error, url);
  } finally {
    response.destroy();
  }
}

/** Returns the headers of a response. */
export const joinHeaders = (response: IncomingMessage): OutgoingHeaders => {
  const joined: [string, string][] = [];
  for (const [name, value] of Object.entries(response.headers)) {
    if (value !== undefined) joined.push([name, Array.isArray(value) ? value.join(", ") : value]);
  }
  return Object.fromEntries(joined);
};

const describe = (error: unknown, url: URL): Error => {
  if (error instanceof OutgoingError) return error;
  const code: unknown = error instanceof Error ? Reflect.get(error, "code") : undefined;
  if (code === "HPE_HEADER_OVERFLOW") {
    const detail = `${url.host} sent headers of more than ${maxHeaderSize} bytes.`;
    return new OutgoingError("too-large", detail, url.host, { cause: error });
  }
  const shown = typeof code === "string" && /^[A-Z_0-9]{3,40}$/.test(code) ? ` (${code})` : "";
  const detail = `The connection to ${url.host} failed${shown}.`;
  return new OutgoingError("connection-failed", detail, url.host, { cause: error });
};
