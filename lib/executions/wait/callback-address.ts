import * as z from "zod";
import { ChosenId, Uuid } from "../../platform/http/ids.ts";
import { readToken, signToken } from "../../tenancy/tenant/signed-token.ts";
import { getSigningSecret } from "../../tenancy/tenant/signing-secret.ts";
import type { Callback, ExecutionDeps, Job } from "../job/job.ts";
import type { ExecutionKey } from "../record/keys.ts";

/** A wait for a callback. */
export type CallbackClaims = {
  /** The execution that is continued: the one that waits, or its outermost caller. */
  root: { agentId: string; executionId: string };
  executionId: string;
  path: string;
};

const Payload = z.tuple([ChosenId, Uuid, Uuid, z.string()]).transform(
  ([agentId, rootId, executionId, path]): CallbackClaims => ({
    root: { agentId, executionId: rootId },
    executionId,
    path,
  }),
);

const purpose = "callbacks";

/** Returns the signed end of a callback's address, the same in every run of the execution. */
const signCallback = (
  secret: string,
  tenantId: string,
  { root, executionId, path }: CallbackClaims,
): string =>
  signToken({ secret, tenantId, purpose }, [root.agentId, root.executionId, executionId, path]);

/** Returns the wait that an address was signed for; undefined for any other text. */
export const readCallback = (
  secret: string,
  tenantId: string,
  token: string,
): CallbackClaims | undefined => {
  const content = readToken({ secret, tenantId, purpose }, token);
  return content === undefined ? undefined : Payload.parse(content);
};

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
