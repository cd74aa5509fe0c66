import { type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import type { LookupFunction } from "node:net";
import { OutgoingError } from "./outgoing-error.ts";
import type { Headers } from "./request-headers.ts";
import type { HostAddress } from "./resolve-host.ts";

/** An answer, read to its end. */
export type OutgoingResponse = {
  readonly status: number;
  /** In lower case; several of one name are joined with ", ". */
  readonly headers: Headers;
  readonly body: Buffer;
};

/** One request to an address that is known to be allowed. */
export type SingleRequest = {
  readonly url: URL;
  readonly addresses: readonly HostAddress[];
  readonly method: string;
  readonly headers: Headers;
  readonly body: string | Uint8Array | undefined;
  readonly signal: AbortSignal;
};

const maxHeaderSize = 32 * 1024;

/** Sends one request to the addresses given, whatever the name may resolve to by now, and reads the answer. */
export async function sendOnce(
  single: SingleRequest & { readonly maxBytes: number },
): Promise<OutgoingResponse> {
  const response = await openOnce(single);
  const chunks: Uint8Array[] = [];
  for await (const chunk of readBody(response, single.url, single.maxBytes)) chunks.push(chunk);
  return {
    status: response.statusCode ?? 0,
    headers: joinHeaders(response),
    body: Buffer.concat(chunks),
  };
}

/** The same up to the answer's head; its body, or the connection's end, is the caller's. */
export function openOnce(single: SingleRequest): Promise<IncomingMessage> {
  const { url, method, headers, body, signal } = single;
  const send = url.protocol === "https:" ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const request = send(url, {
      method,
      headers: body === undefined ? headers : { ...headers, "content-length": lengthOf(body) },
      signal,
      agent: false,
      maxHeaderSize,
      lookup: pinned(single.addresses),
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
}

/** Node tells it by itself for some methods only; without it a body reads as the next request. */
const lengthOf = (body: string | Uint8Array): string =>
  String(typeof body === "string" ? Buffer.byteLength(body) : body.byteLength);

function pinned(addresses: readonly HostAddress[]): LookupFunction {
  return (_hostname, options, callback) => {
    const [first] = addresses;
    if (options.all) callback(null, [...addresses]);
    else callback(null, first?.address ?? "", first?.family);
  };
}

/** The bytes of an answer as they come. Fails when they are too many or break off; closes what is not read. */
export async function* readBody(
  response: IncomingMessage,
  url: URL,
  maxBytes: number,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const tooLarge = () =>
    new OutgoingError(
      "too-large",
      `${url.host} answered with more than ${maxBytes} bytes.`,
      url.host,
    );
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

/** Headers of an answer. */
export function joinHeaders(response: IncomingMessage): Headers {
  const joined: [string, string][] = [];
  for (const [name, value] of Object.entries(response.headers)) {
    if (value !== undefined) joined.push([name, Array.isArray(value) ? value.join(", ") : value]);
  }
  return Object.fromEntries(joined);
}

function describe(error: unknown, url: URL): Error {
  if (error instanceof OutgoingError) return error;
  const code: unknown = error instanceof Error ? Reflect.get(error, "code") : undefined;
  if (code === "HPE_HEADER_OVERFLOW") {
    const detail = `${url.host} answered with headers of more than ${maxHeaderSize} bytes.`;
    return new OutgoingError("too-large", detail, url.host, { cause: error });
  }
  const shown = typeof code === "string" && /^[A-Z_0-9]{3,40}$/.test(code) ? ` (${code})` : "";
  const detail = `The connection to ${url.host} failed${shown}.`;
  return new OutgoingError("connection-failed", detail, url.host, { cause: error });
}
