import * as z from "zod";
import { parsePayload } from "../../vendors/shared/webhook/parse-payload.ts";

/** Stored form of a body from which its bytes follow. */
export type KeptBody = {
  /** `payload`: the parsed value; `body`: the text, or {base64}, because the parsed value does not determine the bytes. */
  keptAs: "payload" | "body";
  value: unknown;
};

const Base64 = z.strictObject({ base64: z.base64() });

/** Returns the bytes of a kept value: of a text, of {base64}, or of a value's JSON. */
const encodeValue = (value: unknown): Buffer => {
  if (typeof value === "string") return Buffer.from(value);
  const { data } = Base64.safeParse(value);
  return data ? Buffer.from(data.base64, "base64") : Buffer.from(JSON.stringify(value));
};

/** Chooses the form in which a body is kept: its payload, unless the bytes differ, as with spaces in JSON. */
export const keepBody = (payload: unknown, body: Uint8Array): KeptBody => {
  if (encodeValue(payload).equals(body)) return { keptAs: "payload", value: payload };
  const text = Buffer.from(body).toString("utf8");
  const isText = Buffer.from(text).equals(body);
  const value = isText ? text : { base64: Buffer.from(body).toString("base64") };
  return { keptAs: "body", value };
};

/** Returns the payload and the bytes of a kept body. */
export const readKeptBody = (
  value: unknown,
  keptAs: KeptBody["keptAs"],
  contentType: string | undefined,
): { payload: unknown; body: Buffer } => {
  const body = encodeValue(value);
  return { payload: keptAs === "body" ? parsePayload(contentType, body) : value, body };
};
