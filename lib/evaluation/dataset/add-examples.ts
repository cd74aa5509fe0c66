import { createHash } from "node:crypto";
import type { Database } from "../../platform/db/database.ts";
import type { ObjectStore } from "../../platform/db/large-value.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import {
  conflict,
  notFound,
  type ValidationIssue,
  validationFailed,
} from "../../platform/http/problems.ts";
import { newUuid, nthUuid, parseUuidTime } from "../../platform/runtime/runtime.ts";
import type { TenantContext } from "../../tenancy/tenant/context.ts";
import { changeExamples } from "./change-examples.ts";
import { checkExampleInputs } from "./check-example-inputs.ts";
import type { ClaimedDataset } from "./claim-store.ts";
import { type DatasetVersion, pinVersion } from "./dataset-item.ts";
import { type ExampleRow, hashExample, toRowItem } from "./example-row.ts";
import { findRowToCompare } from "./example-store.ts";
import { maxExamples } from "./limits.ts";
import type { AddedExamples, Example, SentExample } from "./schemas.ts";
import { getDataset } from "./store.ts";

/** Dependencies of changing examples. */
export type ExampleDeps = { readonly db: Database; readonly objects: ObjectStore };

/** Lookups of examples at a time. */
const lookupsAtOnce = 25;

/**
 * Adds examples to a dataset, or replaces those of the same ids, as one new version; examples that are as they were
 * change nothing. Throws 404, 400 for inputs that the dataset's schema refuses and ids that are given twice, and 409 over
 * the limit of examples and while others change the dataset.
 * @param toItemPointer place of an example in the request; `/items/N` unless given
 */
export const addExamples = async (
  deps: ExampleDeps,
  {
    ctx,
    datasetId,
    items,
    toItemPointer = (at) => `/items/${at}`,
  }: {
    ctx: Pick<TenantContext, "clock" | "randomBytes" | "tenant" | "once">;
    datasetId: string;
    items: readonly SentExample[];
    toItemPointer?: (at: number) => string;
  },
): Promise<AddedExamples> => {
  const tenantId = ctx.tenant.id;
  refuseTakenIds(items, toItemPointer);
  const dataset = await getDataset(deps.db, tenantId, datasetId);
  if (!dataset) throw notFound("dataset", datasetId);
  await checkExampleInputs(
    tenantId,
    dataset,
    items.map(({ input }, at) => ({ input, pointer: `${toItemPointer(at)}/input` })),
  );
  const newIds = deriveExampleIds(ctx, items.length);
  const examples = items.map(
    (item, at): Example => ({
      id: item.id ?? newIds[at] ?? newUuid(ctx),
      input: item.input,
      expected: item.expected ?? null,
      metadata: item.metadata ?? null,
      split: item.split ?? null,
    }),
  );
  const isRepeated = (ctx.once?.earlier.length ?? 0) > 0;
  const mayExist = new Set(
    examples.flatMap(({ id }, at) => (items[at]?.id || isRepeated ? [id] : [])),
  );
  const changed = await changeExamples({ ctx, datasetId, db: deps.db }, (claimed) =>
    planAddition(tenantId, claimed, { examples, mayExist }, deps),
  );
  const { version, exampleCount } = changed;
  return { version, exampleCount, ids: examples.map(({ id }) => id) };
};

/**
 * Returns ids that sort in the order of the examples. They follow from the first attempt of a request with an
 * idempotency key, so that a repeated one finds the examples that an attempt before a crash added.
 */
const deriveExampleIds = (
  ctx: Pick<TenantContext, "clock" | "randomBytes" | "once">,
  count: number,
): string[] => {
  const token = ctx.once?.earlier[0] ?? ctx.once?.token ?? newUuid(ctx);
  const digest = createHash("sha256").update(token).digest();
  return Array.from({ length: count }, (_, at) =>
    nthUuid(parseUuidTime(token), at, (bytes) => digest.subarray(0, bytes)),
  );
};

const refuseTakenIds = (
  items: readonly SentExample[],
  toItemPointer: (at: number) => string,
): void => {
  const first = new Map<string, number>();
  const errors: ValidationIssue[] = [];
  for (const [at, { id }] of items.entries()) {
    if (!id) continue;
    if (first.has(id)) {
      errors.push({ pointer: `${toItemPointer(at)}/id`, detail: "is the id of an example before" });
    } else first.set(id, at);
  }
  if (errors.length > 0) throw validationFailed(errors.slice(0, 50));
};

const planAddition = async (
  tenantId: TenantId,
  { dataset, write }: ClaimedDataset,
  { examples, mayExist }: { examples: readonly Example[]; mayExist: ReadonlySet<string> },
  { db, objects }: ExampleDeps,
) => {
  const pinned = pinVersion(dataset);
  const before =
    pinned && dataset.exampleCount > 0
      ? await findRows(db, tenantId, pinned, [...mayExist])
      : new Map<string, ExampleRow>();
  const changed = examples.filter(
    (example) => before.get(example.id)?.hash !== hashExample(example),
  );
  const added = examples.filter(({ id }) => !before.has(id)).length;
  const exampleCount = dataset.exampleCount + added;
  if (exampleCount > maxExamples) {
    throw conflict(
      `The dataset "${dataset.id}" would have ${exampleCount} examples; at most ${maxExamples} are allowed.`,
    );
  }
  const place = { tenantId, contentId: dataset.contentId, version: write.version };
  const rows = [];
  for (const example of changed) rows.push(await toRowItem(objects, place, example));
  return { rows, exampleCount };
};

/** Returns the rows of the examples that a version has, by id. */
const findRows = async (
  db: Database,
  tenantId: TenantId,
  pinned: DatasetVersion,
  ids: readonly string[],
): Promise<Map<string, ExampleRow>> => {
  const found = new Map<string, ExampleRow>();
  for (let start = 0; start < ids.length; start += lookupsAtOnce) {
    const rows = await Promise.all(
      ids
        .slice(start, start + lookupsAtOnce)
        .map((id) => findRowToCompare(db, tenantId, pinned, id)),
    );
    for (const row of rows) if (row && !row.isDeleted) found.set(row.exampleId, row);
  }
  return found;
};
