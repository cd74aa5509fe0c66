import type { Key } from "../../platform/db/keys.ts";

/** `digest` covers the caller, the route and the client's key. */
export const idempotencyKey = (
  principal: { type: string; organizationId: string; id: string },
  digest: string,
): Key => ({
  pk: `IDEM#${principal.type}#${principal.organizationId}#${principal.id}#${digest}`,
  sk: "IDEM",
});
