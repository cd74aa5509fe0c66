import type { APIGatewayProxyEvent } from "aws-lambda";

/** All header values by lower-case name. */
export type Headers = ReadonlyMap<string, readonly string[]>;

/** Returns the headers of a proxy event. */
export const readEventHeaders = (event: APIGatewayProxyEvent): Headers => {
  const headers = new Map<string, string[]>();
  for (const [name, values] of Object.entries(event.multiValueHeaders ?? {})) {
    const key = name.toLowerCase();
    headers.set(key, [...(headers.get(key) ?? []), ...(values ?? [])]);
  }
  return headers;
};

/** Returns the raw bytes of the body. */
export const readEventBody = (event: APIGatewayProxyEvent): Buffer =>
  Buffer.from(event.body ?? "", event.isBase64Encoded ? "base64" : "utf8");

/** Returns the size of the body in bytes without decoding it. */
export const bodySize = (event: APIGatewayProxyEvent): number => {
  if (!event.body) return 0;
  return Buffer.byteLength(event.body, event.isBase64Encoded ? "base64" : "utf8");
};
