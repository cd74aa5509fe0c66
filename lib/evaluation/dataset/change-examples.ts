import { withoutCompanions } from "../../platform/db/companion-writes.ts";
import type { Database } from "../../platform/db/database.ts";
import type { Key } from "../../platform/db/keys.ts";
import { retryOnConflict } from "../../platform/db/retry-on-conflict.ts";
import { beingChanged, notFound } from "../../platform/http/problems.ts";
import { asError } from "../../platform/runtime/as-error.ts";
import { log } from "../../platform/runtime/log.ts";
import { newUuid } from "../../platform/runtime/runtime.ts";
import type { TenantContext } from "../../tenancy/tenant/context.ts";
import { type ClaimedDataset, claimWrite, publishWrite, releaseWrite } from "./claim-store.ts";
import type { DatasetItem } from "./dataset-item.ts";
import { insertRows } from "./example-store.ts";

/** The rows of a change, and the number of examples after it. No rows: nothing changes. */
export type ExampleChange = {
  rows: readonly (Key & Record<string, unknown>)[];
  exampleCount: number;
};

/**
 * Makes a new version of a dataset's examples: all of a change or nothing is visible. `plan` is called when no other
 * change can be made; what it throws ends the change. Other writers wait a little, then get 409. Throws 404.
 */
export const changeExamples = async (
  {
    ctx,
    datasetId,
    db,
  }: {
    ctx: Pick<TenantContext, "clock" | "randomBytes" | "tenant">;
    datasetId: string;
    db: Database;
  },
  plan: (claimed: ClaimedDataset) => Promise<ExampleChange>,
): Promise<DatasetItem> => {
  const tenantId = ctx.tenant.id;
  const busy = () => beingChanged("dataset", datasetId);
  const claims = withoutCompanions(db);
  const claimed = await retryOnConflict(
    { attempts: 12, maxPauseMs: 800, error: busy },
    async () => {
      const claim = { id: newUuid(ctx), now: ctx.clock() };
      const outcome = await claimWrite(claims, tenantId, datasetId, claim);
      if (!outcome) throw notFound("dataset", datasetId);
      return outcome;
    },
  );
  let isWritten = false;
  try {
    const { rows, exampleCount } = await plan(claimed);
    if (rows.length === 0) {
      await releaseWrite(claims, tenantId, claimed, { isWritten });
      return claimed.dataset;
    }
    isWritten = true;
    await insertRows(db, rows);
    const published = await publishWrite(db, tenantId, claimed, {
      exampleCount,
      now: ctx.clock(),
    });
    if (!published) throw busy();
    return published;
  } catch (error) {
    await tryRelease(claims, tenantId, claimed, { isWritten });
    throw error;
  }
};

/**
 * Releases a claim after a failed change; errors of the release are ignored, because the claim
 * expires.
 */
const tryRelease = async (...claim: Parameters<typeof releaseWrite>): Promise<void> => {
  try {
    await releaseWrite(...claim);
  } catch (error) {
    log("dataset-claim-not-released", { cause: asError(error).message });
  }
};
