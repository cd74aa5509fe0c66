import type { Key } from "../../platform/db/keys.ts";

/** `digest` is of what was called, where, and the client's own key. */
export const idempotencyKey = (
  principal: { type: string; organizationId: string; id: string },
  digest: string,
): Key => ({
  pk: `IDEM#${principal.type}#${principal.organizationId}#${principal.id}#${digest}`,
  sk: "IDEM",
});
