import { ifExists } from "../../platform/db/conditions.ts";
import type { Database } from "../../platform/db/database.ts";
import { getItem } from "../../platform/db/get-item.ts";
import type { ObjectStore } from "../../platform/db/large-value.ts";
import type { SealedValue } from "../../platform/db/seal.ts";
import { deleteItem, putItem, updateItem } from "../../platform/db/write-item.ts";
import type { ExecutionInput, StoredExecution } from "./execution-record.ts";
import { executionKey, executionPartKey, toExecutionKey } from "./keys.ts";
import { PartItem, placeValue } from "./values.ts";

/** Compressed bytes of an input that replaces another one in its record. */
const maxInline = 1_500;

type Storage = { db: Database; objects: ObjectStore };

/** AGENT#a / EXEC#id: shows the input of an execution, which services have checked. */
export const showInput = async (
  { db }: Pick<Storage, "db">,
  item: StoredExecution["item"],
): Promise<void> => {
  await updateItem(db, {
    Key: executionKey(toExecutionKey(item)),
    UpdateExpression: "REMOVE unchecked",
    ConditionExpression: "attribute_exists(unchecked)",
  });
};

/** AGENT#a / EXEC#id: replaces the input of an execution by what checks left of it, and deletes the earlier one. */
export const replaceInput = async (
  { db, objects }: Storage,
  { item, input: before }: Pick<StoredExecution, "item" | "input">,
  {
    input: value,
    secrets,
    keptDays,
  }: { input: ExecutionInput; secrets: SealedValue | null; keptDays: () => Promise<number> },
): Promise<void> => {
  const key = toExecutionKey(item);
  const kind = "INPUT" as const;
  const { stored, part } = await placeValue(objects, key, { kind, value, keptDays }, maxInline);
  if (part) await putItem(db, { Item: part.item });
  await updateItem(db, {
    Key: executionKey(key),
    UpdateExpression: `SET #input = :input${secrets ? ", secrets = :secrets" : ""} REMOVE unchecked${secrets ? "" : ", secrets"}`,
    ...ifExists,
    ExpressionAttributeNames: { "#input": "input" },
    ExpressionAttributeValues: { ":input": stored, ...(secrets && { ":secrets": secrets }) },
  });
  await removeValue({ db, objects }, item, before);
};

const removeValue = async (
  { db, objects }: Storage,
  item: StoredExecution["item"],
  value: StoredExecution["input"],
): Promise<void> => {
  if (!("part" in value)) {
    if ("object" in value) await objects.remove([value.object]);
    return;
  }
  const { tenantId, agentId, executionId } = toExecutionKey(item);
  const Key = executionPartKey(tenantId, agentId, executionId, value.part);
  const found = await getItem(db, Key, PartItem);
  if (found && "object" in found.value) await objects.remove([found.value.object]);
  await deleteItem(db, { Key });
};
