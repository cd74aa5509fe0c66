import type { TenantId } from "../../platform/db/tenant-id.ts";
import { conflict, linkUsed, payloadTooLarge, unknownLink } from "../../platform/http/problems.ts";
import { getSigningSecret } from "../../tenancy/tenant/signing-secret.ts";
import type { Json } from "../../values/json/json.ts";
import type { ExecutionDeps } from "../job/job.ts";
import { type CallbackClaims, readCallback } from "./callback-address.ts";
import { endWait } from "./end-wait.ts";

/** Maximum bytes of JSON of a callback. */
const maxBytes = 262_144;
/** Days for which a callback is kept: its step may be reached after another wait, of a year at most. */
const keptDays = 400;

/** A verified address of a callback. */
export type VerifiedCallback = CallbackClaims & { tenantId: TenantId };

/** Verifies the signed end of a callback's address. Throws 404. */
export const verifyCallback = async (
  deps: Pick<ExecutionDeps, "db" | "sealer">,
  { tenantId, token }: { tenantId: TenantId; token: string },
): Promise<VerifiedCallback> => {
  const signing = await getSigningSecret(deps, { tenantId, purpose: "callbacks" });
  const claims = signing && readCallback(signing.secret, tenantId, token);
  if (!claims) throw unknownLink();
  return { ...claims, tenantId };
};

/**
 * Ends the wait of an address with the body, once, also before its step is reached. Throws 409 for a second request and
 * for an execution that has ended, and 413.
 */
export const answerCallback = async (
  deps: Pick<ExecutionDeps, "db" | "objects" | "runtime" | "send">,
  { callback, answer }: { callback: VerifiedCallback; answer: Json },
): Promise<void> => {
  if (Buffer.byteLength(JSON.stringify(answer)) > maxBytes) throw payloadTooLarge(maxBytes);
  const outcome = await endWait(deps, { ...callback, answer, keptDays });
  switch (outcome) {
    case "ended":
      return;
    case "answered":
      throw linkUsed();
    case "over":
      throw conflict("The execution has ended. It waits for no callback any more.");
  }
};
