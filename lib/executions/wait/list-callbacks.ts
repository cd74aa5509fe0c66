import { getSigningSecret } from "../../tenancy/tenant/signing-secret.ts";
import type { Callback, ExecutionDeps, Job } from "../job/job.ts";
import type { ExecutionKey } from "../record/keys.ts";
import { signCallback } from "./callback-token.ts";

/**
 * Lists the addresses that the flow of an execution reads as `callbacks`; undefined for a flow that reads none. The secret
 * was made with the revision.
 */
export const listCallbacks = async (
  deps: Pick<ExecutionDeps, "db" | "sealer" | "publicUrl">,
  {
    job: { tenantId, revision, item },
    root,
  }: { job: Pick<Job, "tenantId" | "revision" | "item">; root: ExecutionKey },
): Promise<readonly Callback[] | undefined> => {
  const steps = revision.flow.callbacks;
  if (steps.length === 0) return undefined;
  const signing = await getSigningSecret(deps, { tenantId, purpose: "callbacks" });
  const baseUrl = deps.publicUrl ?? signing?.baseUrl;
  if (!signing || !baseUrl) throw new Error("the secret of callbacks was not written");
  return steps.map((stepId) => {
    const claims = { root, executionId: item.id, path: stepId };
    const token = signCallback(signing.secret, tenantId, claims);
    return { stepId, token, url: `${baseUrl}/v1/tenants/${tenantId}/callbacks/${token}` };
  });
};
