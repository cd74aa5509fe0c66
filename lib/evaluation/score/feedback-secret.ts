import * as z from "zod";
import { ifNew } from "../../platform/db/conditions.ts";
import type { Database } from "../../platform/db/database.ts";
import { getItem } from "../../platform/db/get-item.ts";
import { openOnce } from "../../platform/db/open-once.ts";
import { type SealContext, SealedValue, type Sealer } from "../../platform/db/seal.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { putItem } from "../../platform/db/write-item.ts";
import type { Runtime } from "../../platform/runtime/runtime.ts";
import { feedbackSecretKey } from "./keys.ts";

type Deps = { db: Database; sealer: Sealer };

const Item = z.object({ secret: SealedValue });

const buildSealContext = (tenantId: TenantId): SealContext => ({
  tenantId,
  purpose: "feedback-links",
});

/** TENANT#t / FEEDBACKSECRET: reads the secret that signs a tenant's feedback links; undefined before the first link. */
export const getFeedbackSecret = async (
  { db, sealer }: Deps,
  tenantId: TenantId,
): Promise<string | undefined> => {
  const item = await getItem(db, feedbackSecretKey(tenantId), Item);
  return item && openOnce(sealer, item.secret, buildSealContext(tenantId));
};

/** Returns the secret, made for the first link. Of concurrent callers all get the one that was written. */
export const provideFeedbackSecret = async (
  deps: Deps,
  { tenantId, randomBytes }: { tenantId: TenantId; randomBytes: Runtime["randomBytes"] },
): Promise<string> => {
  const known = await getFeedbackSecret(deps, tenantId);
  if (known !== undefined) return known;
  const generated = Buffer.from(randomBytes(32)).toString("base64url");
  const secret = await deps.sealer.seal(generated, buildSealContext(tenantId));
  await putItem(deps.db, { Item: { ...feedbackSecretKey(tenantId), secret }, ...ifNew });
  const written = await getFeedbackSecret(deps, tenantId);
  if (written === undefined) throw new Error("the secret of feedback links was not written");
  return written;
};
