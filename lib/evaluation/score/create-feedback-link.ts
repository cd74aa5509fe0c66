import { getKeptExecution } from "../../executions/record/store.ts";
import type { Database } from "../../platform/db/database.ts";
import type { Sealer } from "../../platform/db/seal.ts";
import { notFound, validationFailed } from "../../platform/http/problems.ts";
import { newUuid } from "../../platform/runtime/runtime.ts";
import type { TenantContext } from "../../tenancy/tenant/context.ts";
import { provideSigningSecret } from "../../tenancy/tenant/signing-secret.ts";
import { signFeedback } from "./feedback-token.ts";
import type { CreateFeedbackLinkBody, FeedbackLink } from "./schemas.ts";

/** Characters of a token, so that the link's path has at most 2,048. */
const maxTokenLength = 1_900;

/** Creates an address that accepts one score of an execution without credentials. Stores nothing. Throws 404. */
export const createFeedbackLink = async (
  deps: { db: Database; sealer: Sealer },
  {
    ctx,
    agentId,
    executionId,
    body,
  }: {
    ctx: Pick<TenantContext, "clock" | "randomBytes" | "tenant" | "baseUrl">;
    agentId: string;
    executionId: string;
    body: CreateFeedbackLinkBody;
  },
): Promise<FeedbackLink> => {
  const { id: tenantId } = ctx.tenant;
  const [execution, secret] = await Promise.all([
    getKeptExecution(deps.db, tenantId, { agentId, executionId, now: ctx.clock() }),
    provideSigningSecret(deps, {
      tenantId,
      purpose: "feedback-links",
      randomBytes: ctx.randomBytes,
    }),
  ]);
  if (!execution) throw notFound("execution record", executionId);
  const { names } = body;
  const expiresAt = ctx.clock() + body.expiresInSeconds * 1_000;
  const linkId = newUuid(ctx);
  const token = signFeedback(secret, tenantId, { linkId, agentId, executionId, names, expiresAt });
  if (token.length > maxTokenLength) {
    throw validationFailed([{ pointer: "/names", detail: "are too long together for one link" }]);
  }
  return { url: `${ctx.baseUrl}/v1/tenants/${tenantId}/feedback/${token}`, names, expiresAt };
};
