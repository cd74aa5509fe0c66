import { unwrapBody } from "../../../client/client.ts";
import type { UsageItem } from "../../../client/openapi.ts";
import { showCost } from "../../amounts.ts";
import type { GlobalInput } from "../../command.ts";
import { usage } from "../../exit.ts";
import { groupBy } from "../../group-by.ts";
import type { Io } from "../../io.ts";
import { printJson, printMessage, printTable } from "../../output.ts";
import { openSession } from "../../session.ts";

type Input = GlobalInput & {
  from: string | undefined;
  to: string | undefined;
  by: "agent" | "model" | undefined;
  agent: string | undefined;
};

/** Runs `wharf costs`. */
export const showCosts = async (input: Input, io: Io): Promise<void> => {
  const today = new Date().toISOString().slice(0, 10);
  const to = parseDay(input.to, "--to") ?? today;
  const from = parseDay(input.from, "--from") ?? `${to.slice(0, 7)}-01`;
  const { by = "agent", agent } = input;
  const { client, tenant } = await openSession(input, io);
  const query = { from, to, groupBy: by, ...(agent !== undefined && { agent }) };
  const { items } = await unwrapBody(
    client.GET("/v1/tenants/{tenant}/usage", { params: { path: { tenant }, query } }),
  );
  if (input.json) return printJson(io, { from, to, by, items });
  if (items.length === 0) return printMessage(io, `No executions from ${from} to ${to}.`);
  const sums = [...groupBy(items, ({ key }) => key)]
    .map(([key, days]) => sum(key, days))
    .sort((one, other) => other.totalCost - one.totalCost);
  const total = sum("Total", items);
  printTable(io, [by.toUpperCase(), ...heading], [...sums, total].map(toRow));
};

const parseDay = (text: string | undefined, option: string): string | undefined => {
  if (text === undefined) return undefined;
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text))
    throw usage(`${option} must be a day, such as 2026-11-01.`);
  return text;
};

const measures = [
  "executionCount",
  "failedCount",
  "unpricedCount",
  "inputTokens",
  "outputTokens",
  "totalCost",
] as const;

type Sum = Record<(typeof measures)[number], number> & { key: string };

const sum = (key: string, items: readonly UsageItem[]): Sum => {
  const total = (name: (typeof measures)[number]): number =>
    items.reduce((amount, item) => amount + item[name], 0);
  return {
    key,
    executionCount: total("executionCount"),
    failedCount: total("failedCount"),
    unpricedCount: total("unpricedCount"),
    inputTokens: total("inputTokens"),
    outputTokens: total("outputTokens"),
    totalCost: total("totalCost"),
  };
};

const heading = ["EXECUTIONS", "FAILED", "INPUT TOKENS", "OUTPUT TOKENS", "COST"];

const toRow = (row: Sum): string[] => [
  row.key,
  String(row.executionCount),
  String(row.failedCount),
  String(row.inputTokens),
  String(row.outputTokens),
  showCost(row.totalCost, row.unpricedCount === 0),
];
