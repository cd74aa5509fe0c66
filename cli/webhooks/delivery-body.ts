import type { WebhookDeliveryDetail } from "../../client/openapi.ts";
import { failed } from "../exit.ts";
import { parseJson } from "../parse-json.ts";

/** Returns the bytes of a delivery as they were received; throws for a delivery that was stored without them. */
export const readDeliveryBytes = async (delivery: WebhookDeliveryDetail): Promise<Uint8Array> => {
  const { rawBody, rawBodyUrl } = delivery;
  if (rawBody !== null) return Buffer.from(rawBody, "base64");
  if (rawBodyUrl === null) throw failed("the response has no body");
  // The URL is signed: it is called without credentials.
  const response = await fetch(rawBodyUrl);
  if (!response.ok) throw failed(`its body cannot be read (${response.status})`);
  return encodeValue(parseJson(await response.text()));
};

/** A string is the text of the body, `{base64}` its bytes; any other value is the body's JSON. */
const encodeValue = (value: unknown): Uint8Array => {
  if (typeof value === "string") return Buffer.from(value);
  const isBase64 =
    typeof value === "object" && value !== null && Object.keys(value).join() === "base64";
  if (isBase64 && "base64" in value && typeof value.base64 === "string") {
    return Buffer.from(value.base64, "base64");
  }
  return Buffer.from(JSON.stringify(value));
};
