import type { APIGatewayProxyEvent } from "aws-lambda";

/** Header values by lower-case name, every one that was sent. */
export type Headers = ReadonlyMap<string, readonly string[]>;

/** The headers of a proxy event. */
export const headersOf = (event: APIGatewayProxyEvent): Headers => {
  const headers = new Map<string, string[]>();
  for (const [name, values] of Object.entries(event.multiValueHeaders ?? {})) {
    const key = name.toLowerCase();
    headers.set(key, [...(headers.get(key) ?? []), ...(values ?? [])]);
  }
  return headers;
};

/** The body's bytes as they were sent. */
export const bodyOf = (event: APIGatewayProxyEvent): Buffer =>
  Buffer.from(event.body ?? "", event.isBase64Encoded ? "base64" : "utf8");

/** The size of the body in bytes, known without decoding it. */
export const bodySize = (event: APIGatewayProxyEvent): number => {
  if (!event.body) return 0;
  return Buffer.byteLength(event.body, event.isBase64Encoded ? "base64" : "utf8");
};
