import * as z from "zod";
import { ifExists, ifNew } from "../../platform/db/conditions.ts";
import type { Database } from "../../platform/db/database.ts";
import { deleteTogether } from "../../platform/db/delete-together.ts";
import { getItem } from "../../platform/db/get-item.ts";
import { getItems } from "../../platform/db/get-items.ts";
import { listed } from "../../platform/db/keys.ts";
import { listAll, listPage } from "../../platform/db/list-page.ts";
import { patch } from "../../platform/db/patch-item.ts";
import { storedJson, toStoredJson } from "../../platform/db/stored-json.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { transact } from "../../platform/db/transact.ts";
import { deleteItem } from "../../platform/db/write-item.ts";
import type { Page, PageRequest } from "../../platform/http/paging.ts";
import {
  guardrailKey,
  guardrailRevisionKey,
  guardrailRevisionsList,
  guardrailsList,
} from "./keys.ts";
import { Guardrail, GuardrailRevision } from "./schemas.ts";

const checks = storedJson(Guardrail.shape.checks);
const GuardrailItem = z.object({ ...Guardrail.shape, checks }).transform((item): Guardrail => item);
const RevisionItem = z
  .object({ ...GuardrailRevision.shape, checks })
  .transform((item): GuardrailRevision => item);

/** TENANT#t / GUARDRAIL#id: reads a guardrail. */
export const getGuardrail = (
  db: Database,
  tenantId: TenantId,
  guardrailId: string,
): Promise<Guardrail | undefined> =>
  getItem(db, guardrailKey(tenantId, guardrailId), GuardrailItem);

/** TENANT#t / GUARDRAIL#ids: reads guardrails, in the order of their ids; undefined where none exists. */
export const getGuardrails = (
  db: Database,
  tenantId: TenantId,
  guardrailIds: readonly string[],
): Promise<(Guardrail | undefined)[]> =>
  getItems(
    db,
    guardrailIds.map((id) => guardrailKey(tenantId, id)),
    GuardrailItem,
  );

/** TENANT#t / GUARDRAIL#…: lists the tenant's guardrails by id. */
export const listGuardrails = (
  db: Database,
  tenantId: TenantId,
  page: PageRequest,
): Promise<Page<Guardrail>> =>
  listPage(db, GuardrailItem, { list: guardrailsList(tenantId) }, page);

/** TENANT#t#GUARDRAIL#id / REV#n: reads a revision. */
export const getGuardrailRevision = (
  db: Database,
  tenantId: TenantId,
  guardrailId: string,
  revision: number,
): Promise<GuardrailRevision | undefined> =>
  getItem(db, guardrailRevisionKey(tenantId, guardrailId, revision), RevisionItem);

/** TENANT#t#GUARDRAIL#id / REV#…: lists the revisions of a guardrail, newest first. */
export const listGuardrailRevisions = (
  db: Database,
  tenantId: TenantId,
  guardrailId: string,
  page: PageRequest,
): Promise<Page<GuardrailRevision>> => {
  const list = guardrailRevisionsList(tenantId, guardrailId);
  return listPage(db, RevisionItem, { list, newestFirst: true }, page);
};

const buildRevision = (
  tenantId: TenantId,
  { id, revision, displayName, checks: all, modifiedAt }: Guardrail,
) => ({
  Put: {
    Item: {
      ...listed(guardrailRevisionKey(tenantId, id, revision)),
      ...{ guardrailId: id, revision, displayName, createdAt: modifiedAt },
      checks: toStoredJson(all),
    },
  },
});

/** Writes a new guardrail with its first revision; returns "taken" when the id exists. */
export const putNewGuardrail = async (
  db: Database,
  tenantId: TenantId,
  guardrail: Guardrail,
): Promise<"written" | "taken"> => {
  const Item = {
    ...listed(guardrailKey(tenantId, guardrail.id)),
    ...guardrail,
    checks: toStoredJson(guardrail.checks),
  };
  const writes = [{ Put: { Item, ...ifNew } }, buildRevision(tenantId, guardrail)];
  return (await transact(db, writes)).written ? "written" : "taken";
};

/** Writes the next revision of a guardrail; "changed" when another was written, or it was deleted. */
export const putNextGuardrail = async (
  db: Database,
  tenantId: TenantId,
  before: Guardrail,
  { displayName, checks: all, revision, modifiedAt, ...same }: Guardrail,
): Promise<"written" | "changed"> => {
  const set = { displayName, checks: toStoredJson(all), revision, modifiedAt };
  const expect = { revision: before.revision, createdAt: before.createdAt };
  const after = { ...same, displayName, checks: all, revision, modifiedAt };
  const outcome = await transact(db, [
    { Update: patch(guardrailKey(tenantId, before.id), { set, expect }) },
    buildRevision(tenantId, after),
  ]);
  return outcome.written ? "written" : "changed";
};

const RevisionKey = z.object({ pk: z.string(), sk: z.string() });

/**
 * Removes a guardrail, then its revisions: none is written without it. Returns whether it existed. Repeated after a crash,
 * removes the revisions that are left.
 */
export const removeGuardrail = async (
  db: Database,
  tenantId: TenantId,
  guardrailId: string,
): Promise<boolean> => {
  const Key = guardrailKey(tenantId, guardrailId);
  const { written } = await deleteItem(db, { Key, ...ifExists });
  const list = guardrailRevisionsList(tenantId, guardrailId);
  await deleteTogether(db, await Array.fromAsync(listAll(db, RevisionKey, list)));
  return written;
};
