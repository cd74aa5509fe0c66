import * as z from "zod";
import type { Database } from "../../platform/db/database.ts";
import { getItem } from "../../platform/db/get-item.ts";
import { listIndex } from "../../platform/db/list-index.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import {
  type ExperimentKey,
  openExperimentsList,
  parseExperimentKey,
  tenantOpenKey,
} from "./keys.ts";

/** Most experiments of a tenant that have not ended. */
export const maxOpenExperiments = 100;

const OpenItem = z.object({ experiments: z.set(z.string()).default(new Set()) });

/** TENANT#t / OPEN-EXPERIMENTS: returns whether the tenant has as many open experiments as it may. */
export const isFull = async (db: Database, tenantId: TenantId): Promise<boolean> => {
  const item = await getItem(db, tenantOpenKey(tenantId), OpenItem);
  return (item?.experiments.size ?? 0) >= maxOpenExperiments;
};

/** TENANT#t / OPEN-EXPERIMENTS: builds the write that names an open experiment, unless the tenant has as many as it may. */
export const addOpen = (tenantId: TenantId, experimentId: string) => ({
  Update: {
    Key: tenantOpenKey(tenantId),
    UpdateExpression: "ADD experiments :one",
    ConditionExpression: "attribute_not_exists(experiments) OR size(experiments) < :most",
    ExpressionAttributeValues: { ":one": new Set([experimentId]), ":most": maxOpenExperiments },
  },
});

/** TENANT#t / OPEN-EXPERIMENTS: builds the write that removes an ended experiment. */
export const dropOpen = (tenantId: TenantId, experimentId: string) => ({
  Update: {
    Key: tenantOpenKey(tenantId),
    UpdateExpression: "DELETE experiments :one",
    ExpressionAttributeValues: { ":one": new Set([experimentId]) },
  },
});

/** OPEN-EXPERIMENTS: lists the places of the experiments that have not ended, of all tenants, oldest first. */
export async function* listOpenExperiments(db: Database): AsyncGenerator<ExperimentKey> {
  for await (const keys of listIndex(db, { list: openExperimentsList })) {
    yield* keys.map(parseExperimentKey);
  }
}
