import * as z from "zod";
import { ChosenId, Uuid } from "../../platform/http/ids.ts";
import { hmacBase64, sameText } from "../../platform/signatures/signatures.ts";

/** The content of a feedback link: an execution, the names of scores, and when it expires, Unix milliseconds. */
export type FeedbackClaims = {
  linkId: string;
  agentId: string;
  executionId: string;
  names: string[];
  expiresAt: number;
};

/** As signed: short names, since a path has at most 2,048 characters. */
const Payload = z.tuple([Uuid, ChosenId, Uuid, z.array(z.string()), z.int()]).transform(
  ([linkId, agentId, executionId, names, expiresAt]): FeedbackClaims => ({
    linkId,
    agentId,
    executionId,
    names,
    expiresAt,
  }),
);

/** Returns the signed end of a feedback link's path. */
export const signFeedback = (secret: string, tenantId: string, claims: FeedbackClaims): string => {
  const { linkId, agentId, executionId, names, expiresAt } = claims;
  const payload = Buffer.from(
    JSON.stringify([linkId, agentId, executionId, names, expiresAt]),
  ).toString("base64url");
  return `${payload}.${signPayload(secret, tenantId, payload)}`;
};

/** Returns what a link was signed with; undefined for any other text. The content is read after the signature. */
export const readFeedback = (
  secret: string,
  tenantId: string,
  token: string,
): FeedbackClaims | undefined => {
  const at = token.lastIndexOf(".");
  const payload = token.slice(0, Math.max(0, at));
  const isSigned = sameText(token.slice(at + 1), signPayload(secret, tenantId, payload));
  if (at < 1 || !isSigned) return undefined;
  return Payload.parse(JSON.parse(Buffer.from(payload, "base64url").toString("utf8")));
};

/** The purpose is signed too, so that no other signature of the secret is a link. */
const signPayload = (secret: string, tenantId: string, payload: string): string =>
  Buffer.from(hmacBase64(secret, `feedback-link\n${tenantId}\n${payload}`), "base64").toString(
    "base64url",
  );
