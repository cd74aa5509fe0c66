import type { ExecutionDetail } from "../../../client/openapi.ts";
import { showCost, showDuration } from "../../amounts.ts";
import type { GlobalInput } from "../../command.ts";
import { readExecution } from "../../executions/await-execution.ts";
import type { Io } from "../../io.ts";
import { printFields, printJson, showTime } from "../../output.ts";
import { openSession } from "../../session.ts";

type Input = GlobalInput & { agent: string; execution: string };

/** Runs `wharf executions get`. */
export const getExecution = async (input: Input, io: Io): Promise<void> => {
  const record = await readExecution(await openSession(input, io), input.agent, input.execution);
  if (input.json) printJson(io, record);
  else printFields(io, toFields(record));
};

const toFields = (record: ExecutionDetail): [name: string, value: string][] => {
  const { endTime, startTime, error } = record;
  return [
    ["ID", record.id],
    ["Agent", `${record.agentId}, revision ${record.agentRevision}`],
    ["Status", record.status],
    ["Started", showTime(startTime)],
    ...row("Duration", endTime === null ? undefined : showDuration(endTime - startTime)),
    ["Tokens", `${record.inputTokens} input, ${record.outputTokens} output`],
    ["Cost", showCost(record.totalCostWithSubAgents, record.pricedWithSubAgents)],
    ...row("Error", error === null ? undefined : `${error.title}: ${error.detail}`),
    ...row("Failed step", error?.step ?? undefined),
    ...row(
      "Scores",
      record.scores.map(({ name, value }) => `${name} ${value}`).join(", ") || undefined,
    ),
    ["Input", showValue(record.input)],
    ["Output", showValue(record.output)],
  ];
};

const row = (name: string, value: string | undefined): [string, string][] =>
  value === undefined ? [] : [[name, value]];

const showValue = (value: unknown): string =>
  typeof value === "string" ? value : (JSON.stringify(value, null, 2) ?? "");
