import { hmacBase64, sameText } from "../../platform/signatures/signatures.ts";
import type { Json } from "../../values/json/json.ts";
import type { SigningPurpose } from "./signing-secret.ts";

/** Scope of a signature: a token of another tenant or purpose is not valid. */
export type TokenScope = { secret: string; tenantId: string; purpose: SigningPurpose };

/** Returns a token with its content, which is readable, and its signature, for the end of a path. */
export const signToken = (scope: TokenScope, content: Json): string => {
  const payload = Buffer.from(JSON.stringify(content)).toString("base64url");
  return `${payload}.${signPayload(scope, payload)}`;
};

/** Returns the content of a token; undefined for a text that was not signed so. The content is read after the signature. */
export const readToken = (scope: TokenScope, token: string): unknown => {
  const at = token.lastIndexOf(".");
  const payload = token.slice(0, Math.max(0, at));
  if (at < 1 || !sameText(token.slice(at + 1), signPayload(scope, payload))) return undefined;
  return JSON.parse(Buffer.from(payload, "base64url").toString("utf8"));
};

const signPayload = ({ secret, tenantId, purpose }: TokenScope, payload: string): string =>
  Buffer.from(hmacBase64(secret, `${purpose}\n${tenantId}\n${payload}`), "base64").toString(
    "base64url",
  );
