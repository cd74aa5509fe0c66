import { randomBytes } from "node:crypto";
import { BatchWriteCommand } from "@aws-sdk/lib-dynamodb";
import { countFailure } from "../../../../lib/evaluation/online/failures.ts";
import { evaluatedKey } from "../../../../lib/evaluation/online/keys.ts";
import { toStored } from "../../../../lib/executions/record/execution-record.ts";
import { executionKey, recordsIndexPartition } from "../../../../lib/executions/record/keys.ts";
import type { ExecutionStatus } from "../../../../lib/executions/schemas.ts";
import type { Database } from "../../../../lib/platform/db/database.ts";
import { toDay, toMonth } from "../../../../lib/platform/db/keys.ts";
import { tableAttributes } from "../../../../lib/platform/db/table.ts";
import { TenantId } from "../../../../lib/platform/db/tenant-id.ts";
import { transact } from "../../../../lib/platform/db/transact.ts";
import { uuidAt } from "../../../../lib/platform/runtime/runtime.ts";
import { usageKey } from "../../../../lib/spending/usage/keys.ts";
import { toAttributes, toStoredModel } from "../../../../lib/spending/usage/measures.ts";
import { packJson } from "../../../harness/pack-json.ts";

const day = 86_400_000;
const days = 40;

/** Number of executions of the agent with the longest list. */
export const longList = 10_000;

/** Why a scorer gave no score, oldest first. */
const failures = [
  "The model did not respond in time.",
  "The judge's response is not a valid rating: it is not valid JSON.",
];

/** Why executions failed. */
const reason = 'The step "reply" failed: the model "claude-sonnet-4-5" returned status 529.';

/** Executions that an online evaluation has scored. */
const evaluatedThisMonth = 412;

const agents = [
  { agentId: "support", count: longList, revisions: 4, triggers: [3, 3, 3, 0, 2] },
  { agentId: "issue-triage", count: 900, revisions: 1, triggers: [2] },
  { agentId: "weekly-report", count: 6, revisions: 1, triggers: [1] },
];

const models = [
  { providerId: "anthropic", modelId: "claude-sonnet-4-5", input: 3, output: 15 },
  { providerId: "openai", modelId: "gpt-5-mini", input: 0.25, output: 2 },
  { providerId: "own-models", modelId: "llama3.3", input: 0, output: 0 },
] as const;

/** Numbers that are the same at each run. */
const sequence = (seed: number) => {
  let state = seed;
  return (): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
};

/**
 * Writes ended executions of the last weeks and the counters of their usage, as if agents had run: the API
 * creates executions at the current time alone.
 */
export const writeHistory = async (db: Database, tenant: string): Promise<void> => {
  const tenantId = TenantId.parse(tenant);
  const executions = agents.flatMap(pastExecutions);
  const records = executions.map(({ item, agentId }) => ({
    ...executionKey({ tenantId, agentId, executionId: item.id }),
    [tableAttributes.recordsIndexPartitionKey]: recordsIndexPartition({
      tenantId,
      executionId: item.id,
    }),
    ...toStored(item),
    input: packJson({ input: {} }),
  }));
  const evaluated = {
    ...evaluatedKey(tenantId, "support", toMonth(Date.now())),
    count: evaluatedThisMonth,
  };
  await writeItems(db, [...records, ...buildCounters(tenantId, executions), evaluated]);
  const [last] = executions;
  if (!last) return;
  const place = {
    tenantId,
    agentId: last.agentId,
    executionId: last.item.id,
  };
  const failure = { month: toMonth(Date.now()), scorer: "polite", at: last.item.startTime };
  for (const detail of failures) await transact(db, [countFailure(place, { ...failure, detail })]);
};

type PastExecution = ReturnType<typeof pastExecutions>[number];

const pastExecutions = ({ agentId, count, revisions, triggers }: (typeof agents)[number]) => {
  const next = sequence(count);
  const now = Date.now();
  return Array.from({ length: count }, (_, at) => {
    // More each week, and the first ones some minutes ago.
    const age = 300_000 + ((at + next()) / count) ** 1.3 * days * day;
    const startTime = Math.round(now - age);
    const revision = Math.max(1, revisions - Math.floor((age / days / day) * revisions));
    const model = models[next() < 0.6 ? 0 : next() < 0.8 ? 1 : 2];
    const inputTokens = 600 + Math.round(next() * 4_000);
    const outputTokens = 60 + Math.round(next() * 700);
    const inputCost = (inputTokens * model.input) / 1e6;
    const outputCost = (outputTokens * model.output) / 1e6;
    const status = selectStatus(next());
    const trigger = triggers[at % triggers.length] ?? 0;
    return {
      agentId,
      model,
      item: {
        id: uuidAt(startTime, randomBytes(10)),
        agentRevision: revision,
        startTime,
        endTime: startTime + 400 + Math.round(next() ** 3 * 60_000),
        status,
        errorType: status === "Failed" ? "execution-failed" : null,
        errorDetail: status === "Failed" ? reason : null,
        isSample: false,
        trigger: { type: trigger, id: trigger === 0 ? "" : "demo", provider: null },
        destinations: [],
        reserved: 0,
        inputTokens,
        outputTokens,
        cachedTokens: 0,
        thinkingTokens: 0,
        inputCost,
        outputCost,
        cachedCost: 0,
        thinkingCost: 0,
        totalCost: inputCost + outputCost,
      },
    };
  });
};

const selectStatus = (chance: number): ExecutionStatus => {
  if (chance < 0.93) return "Succeeded";
  if (chance < 0.98) return "Failed";
  return chance < 0.99 ? "Cancelled" : "TimedOut";
};

const buildCounters = (tenantId: TenantId, executions: readonly PastExecution[]) => {
  const groups = Map.groupBy(executions, ({ agentId, model, item }) =>
    [agentId, toDay(item.startTime), item.agentRevision, item.trigger.type, model.modelId].join(),
  );
  const partsByKey = new Map<string, Record<string, unknown>>();
  for (const group of groups.values()) {
    const [first] = group;
    if (!first) continue;
    const { agentId, item, model } = first;
    const on = toDay(item.startTime);
    const key = usageKey(tenantId, agentId, {
      day: on,
      revision: item.agentRevision,
      trigger: item.trigger.type,
      shard: models.indexOf(model),
    });
    const sum = (of: (item: PastExecution["item"]) => number): number =>
      group.reduce((total, entry) => total + of(entry.item), 0);
    const executions = {
      executionCount: group.length,
      failedCount: sum(({ status }) => (status === "Failed" || status === "TimedOut" ? 1 : 0)),
    };
    const { token, name } = toStoredModel(model);
    const used = {
      ...executions,
      inputTokens: sum(({ inputTokens }) => inputTokens),
      outputTokens: sum(({ outputTokens }) => outputTokens),
      inputCost: sum(({ inputCost }) => inputCost),
      outputCost: sum(({ outputCost }) => outputCost),
      totalCost: sum(({ totalCost }) => totalCost),
    };
    partsByKey.set(`${key.pk} ${key.sk}`, {
      ...key,
      d: Number(on.slice(8)),
      m: new Set([name]),
      ...Object.fromEntries([...toAttributes(executions, ""), ...toAttributes(used, token)]),
    });
  }
  return [...partsByKey.values()];
};

const atOnce = 25;

const writeItems = async (
  { client, table }: Database,
  items: readonly Record<string, unknown>[],
): Promise<void> => {
  for (let at = 0; at < items.length; at += atOnce) {
    const puts = items.slice(at, at + atOnce).map((Item) => ({ PutRequest: { Item } }));
    const { UnprocessedItems } = await client.send(
      new BatchWriteCommand({ RequestItems: { [table]: puts } }),
    );
    if (UnprocessedItems?.[table]?.length) throw new Error("The table refused items.");
  }
};
