import * as z from "zod";
import { ifExists, ifNew } from "../../platform/db/conditions.ts";
import type { Database } from "../../platform/db/database.ts";
import { getItem } from "../../platform/db/get-item.ts";
import { getItems } from "../../platform/db/get-items.ts";
import { listed } from "../../platform/db/keys.ts";
import { listPage } from "../../platform/db/list-page.ts";
import { patchItem } from "../../platform/db/patch-item.ts";
import { storedJson, toStoredJson } from "../../platform/db/stored-json.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { deleteItem, putItem } from "../../platform/db/write-item.ts";
import type { Page, PageRequest } from "../../platform/http/paging.ts";
import { scorerKey, scorersList } from "./keys.ts";
import { Scorer } from "./schemas.ts";

/** A scorer as it is stored. */
const ScorerItem = z
  .object({
    ...Scorer.shape,
    schema: storedJson(Scorer.shape.schema),
    llm: storedJson(Scorer.shape.llm),
  })
  .transform((item): Scorer => item);

const toItem = <Members extends Partial<Scorer>>(members: Members) => ({
  ...members,
  ...("schema" in members && { schema: toStoredJson(members.schema) }),
  ...("llm" in members && { llm: toStoredJson(members.llm) }),
});

/** TENANT#t#SCORERS / id: reads a scorer. */
export const getScorer = (
  db: Database,
  tenantId: TenantId,
  scorerId: string,
): Promise<Scorer | undefined> => getItem(db, scorerKey(tenantId, scorerId), ScorerItem);

/** TENANT#t#SCORERS / id: reads scorers, in the order of their ids; undefined where none exists. */
export const getScorers = (
  db: Database,
  tenantId: TenantId,
  scorerIds: readonly string[],
): Promise<(Scorer | undefined)[]> =>
  getItems(
    db,
    scorerIds.map((id) => scorerKey(tenantId, id)),
    ScorerItem,
  );

/** TENANT#t#SCORERS / …: lists the tenant's scorers by id. */
export const listScorers = (
  db: Database,
  tenantId: TenantId,
  page: PageRequest,
): Promise<Page<Scorer>> => listPage(db, ScorerItem, { list: scorersList(tenantId) }, page);

/** Writes a new scorer; returns "taken" when the id exists. */
export const putNewScorer = async (
  db: Database,
  tenantId: TenantId,
  scorer: Scorer,
): Promise<"written" | "taken"> => {
  const Item = { ...listed(scorerKey(tenantId, scorer.id)), ...toItem(scorer) };
  return (await putItem(db, { Item, ...ifNew })).written ? "written" : "taken";
};

/** Changes a scorer as it was read, and returns it; undefined when it was changed since, or deleted. */
export const changeScorer = (
  db: Database,
  tenantId: TenantId,
  { id, modifiedAt }: Scorer,
  change: Partial<Scorer>,
): Promise<Scorer | undefined> =>
  patchItem(db, scorerKey(tenantId, id), ScorerItem, {
    set: toItem(change),
    expect: { modifiedAt },
  });

/** Removes a scorer; returns whether it existed. */
export const removeScorer = async (
  db: Database,
  tenantId: TenantId,
  scorerId: string,
): Promise<boolean> => {
  const Key = scorerKey(tenantId, scorerId);
  return (await deleteItem(db, { Key, ...ifExists })).written;
};
