import * as z from "zod";
import { ChosenId, Uuid } from "../../platform/http/ids.ts";
import { readToken, signToken } from "../../tenancy/tenant/signed-token.ts";

/** The content of a feedback link: an execution, the names of scores, and when it expires, Unix milliseconds. */
export type FeedbackClaims = {
  linkId: string;
  agentId: string;
  executionId: string;
  names: string[];
  expiresAt: number;
};

/** As signed: without names of members, since a path has at most 2,048 characters. */
const Payload = z.tuple([Uuid, ChosenId, Uuid, z.array(z.string()), z.int()]).transform(
  ([linkId, agentId, executionId, names, expiresAt]): FeedbackClaims => ({
    linkId,
    agentId,
    executionId,
    names,
    expiresAt,
  }),
);

const purpose = "feedback-links";

/** Returns the signed end of a feedback link's path. */
export const signFeedback = (secret: string, tenantId: string, claims: FeedbackClaims): string => {
  const { linkId, agentId, executionId, names, expiresAt } = claims;
  const content = [linkId, agentId, executionId, names, expiresAt];
  return signToken({ secret, tenantId, purpose }, content);
};

/** Returns what a link was signed with; undefined for any other text. */
export const readFeedback = (
  secret: string,
  tenantId: string,
  token: string,
): FeedbackClaims | undefined => {
  const content = readToken({ secret, tenantId, purpose }, token);
  return content === undefined ? undefined : Payload.parse(content);
};
