/** Media types of the JSON of protocols for other clients than the API's own: OpenAI's, and A2A's two bindings over HTTP. */
export const protocolMediaTypes = {
  openai: "application/json",
  "a2a-http": "application/a2a+json",
  "a2a-json-rpc": "application/json",
} as const;

/** Name of a protocol. */
export type Protocol = keyof typeof protocolMediaTypes;
