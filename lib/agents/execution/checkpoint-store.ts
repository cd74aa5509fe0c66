import * as z from "zod";
import type { StepOutcome } from "../../engine/flow/flow-result.ts";
import { ifNew } from "../../platform/db/conditions.ts";
import type { Database } from "../../platform/db/database.ts";
import { deleteTogether } from "../../platform/db/delete-together.ts";
import { getItem } from "../../platform/db/get-item.ts";
import {
  type ObjectStore,
  PackedValue,
  packValue,
  unpackValue,
} from "../../platform/db/large-value.ts";
import { listAll } from "../../platform/db/list-page.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import type { TransactionWrite } from "../../platform/db/transact.ts";
import { putItem } from "../../platform/db/write-item.ts";
import { stepKey, stepsList, subExecutionKey, subExecutionsList } from "../keys.ts";

type Storage = { db: Database; objects: ObjectStore };
type Place = { tenantId: TenantId; agentId: string; executionId: string };

const Outcome = z.custom<StepOutcome>((value) => typeof value === "object" && value !== null);
const StepItem = z.object({ pk: z.string(), sk: z.string(), outcome: PackedValue });

/** Steps are deleted when their execution is settled; the TTL removes what a crash leaves. */
const keptSeconds = 7 * 24 * 3_600;

/** Stores a finished step, so that a resumed run does not repeat it. */
export const putStep = async (
  { db, objects }: Storage,
  { tenantId, agentId, executionId }: Place,
  outcome: StepOutcome,
  now: number,
): Promise<void> => {
  const name = encodeURIComponent(outcome.stepId);
  const objectKey = `${tenantId}/${agentId}/executions/${executionId}/steps/${name}`;
  await putItem(db, {
    Item: {
      ...stepKey(tenantId, executionId, outcome.stepId),
      outcome: await packValue(outcome, objectKey, objects),
      ttl: Math.ceil(now / 1_000) + keptSeconds,
    },
  });
};

/** TENANT#t#EXEC#id / STEP#…: lists the finished steps of an execution by id. */
export const listSteps = async (
  { db, objects }: Storage,
  { tenantId, executionId }: Place,
): Promise<Map<string, StepOutcome>> => {
  const steps = new Map<string, StepOutcome>();
  for await (const { outcome } of listAll(db, StepItem, stepsList(tenantId, executionId))) {
    const step = Outcome.parse(await unpackValue(outcome, objects));
    steps.set(step.stepId, step);
  }
  return steps;
};

/** Deletes the steps of a settled execution; its trace contains them. */
export const deleteSteps = async (
  { db, objects }: Storage,
  { tenantId, executionId }: Place,
): Promise<void> => {
  const steps = await Array.fromAsync(listAll(db, StepItem, stepsList(tenantId, executionId)));
  await objects.remove(
    steps.flatMap(({ outcome }) => ("object" in outcome ? [outcome.object] : [])),
  );
  await deleteTogether(db, steps);
};

/** A sub-agent's execution, stored under its path in the parent's run. */
export const SubExecution = z.object({ agentId: z.string(), executionId: z.string() });
export type SubExecution = z.output<typeof SubExecution>;

/** Builds the write that records a sub-agent's execution at a path; each path takes one. */
export const putSubExecution = (
  tenantId: TenantId,
  parentId: string,
  path: string,
  child: SubExecution,
): TransactionWrite => ({
  Put: {
    Item: { ...subExecutionKey(tenantId, parentId, path), ...child },
    ...ifNew,
  },
});

/** TENANT#t#EXEC#id / CHILD#path: reads the sub-agent's execution that was started at a path. */
export const getSubExecution = (
  db: Database,
  tenantId: TenantId,
  parentId: string,
  path: string,
): Promise<SubExecution | undefined> =>
  getItem(db, subExecutionKey(tenantId, parentId, path), SubExecution);

/** TENANT#t#EXEC#id / CHILD#…: lists the sub-agents' executions of a run. */
export const listSubExecutions = (
  db: Database,
  tenantId: TenantId,
  parentId: string,
): Promise<SubExecution[]> =>
  Array.fromAsync(listAll(db, SubExecution, subExecutionsList(tenantId, parentId)));
