import type { Headers } from "../platform/http/request.ts";

/** Media types of the JSON of protocols for other clients than the API's own: OpenAI's, and A2A's two bindings over HTTP. */
export const protocolMediaTypes = {
  openai: "application/json",
  "a2a-http": "application/a2a+json",
  "a2a-json-rpc": "application/json",
} as const;

/** Name of a protocol. */
export type Protocol = keyof typeof protocolMediaTypes;

/** A request that ends with an error; `body` as it was parsed, undefined before that. */
export type FailedRequest = { requestId: string; headers: Headers; body: unknown };

const plainJson = "application/json";

/**
 * Returns the media type of a protocol's JSON for a client. Plain JSON for one that accepts neither A2A's own type nor any: the
 * SDK for Go reads errors of this type alone.
 */
export const chooseMediaType = (protocol: Protocol | undefined, headers: Headers): string => {
  const own = protocol ? protocolMediaTypes[protocol] : plainJson;
  const accepted = (headers.get("accept") ?? [])
    .flatMap((value) => value.split(","))
    .map((type) => (type.split(";", 1)[0] ?? "").trim().toLowerCase());
  const acceptsOwn = [own, "application/*", "*/*"].some((type) => accepted.includes(type));
  return accepted.length === 0 || acceptsOwn ? own : plainJson;
};
