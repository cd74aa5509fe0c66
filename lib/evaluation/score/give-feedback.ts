import { ifNew } from "../../platform/db/conditions.ts";
import type { Database } from "../../platform/db/database.ts";
import type { Sealer } from "../../platform/db/seal.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import {
  linkExpired,
  linkUsed,
  unknownLink,
  validationFailed,
} from "../../platform/http/problems.ts";
import { getSigningSecret } from "../../tenancy/tenant/signing-secret.ts";
import { type FeedbackClaims, readFeedback } from "./feedback-token.ts";
import { feedbackUseKey } from "./keys.ts";
import { putScore } from "./put-score.ts";
import type { FeedbackBody } from "./schemas.ts";

/** A verified feedback link. */
export type VerifiedLink = FeedbackClaims & { tenantId: TenantId };

/** Verifies the signed end of a feedback link's path. Throws 404, and 401 for a link that has expired. */
export const verifyFeedback = async (
  deps: { db: Database; sealer: Sealer },
  { tenantId, token, now }: { tenantId: TenantId; token: string; now: number },
): Promise<VerifiedLink> => {
  const signing = await getSigningSecret(deps, { tenantId, purpose: "feedback-links" });
  const claims = signing && readFeedback(signing.secret, tenantId, token);
  if (!claims) throw unknownLink();
  if (claims.expiresAt <= now) throw linkExpired();
  return { ...claims, tenantId };
};

/** Scores an execution by a link, once: the use of the link and the score are one write. Throws 400, 404 and 409. */
export const giveFeedback = async (
  db: Database,
  { linkId, tenantId, agentId, executionId, names, expiresAt }: VerifiedLink,
  { name, value, comment }: FeedbackBody,
  now: number,
): Promise<void> => {
  const chosen = name ?? (names.length === 1 ? names[0] : undefined);
  if (chosen === undefined || !names.includes(chosen)) {
    const detail = `must be one of the link's names: ${names.join(", ")}`;
    throw validationFailed([{ pointer: "/name", detail }]);
  }
  await putScore(
    db,
    { tenantId, agentId, executionId },
    {
      id: linkId,
      name: chosen,
      value,
      spanId: null,
      comment: comment ?? null,
      source: "FeedbackLink",
      createdAt: now,
      createdBy: null,
    },
    {
      alongside: {
        writes: [
          {
            Put: {
              Item: {
                ...feedbackUseKey(tenantId, agentId, linkId),
                // After this time the link itself has expired.
                ttl: Math.ceil(expiresAt / 1_000) + 3_600,
              },
              ...ifNew,
            },
          },
        ],
        error: linkUsed,
      },
      check: () => {
        throw linkUsed();
      },
    },
  );
};
