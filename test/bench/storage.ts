import * as z from "zod";
import type { Topic } from "./bench.ts";
import { countCalls } from "./count-unit.ts";
import type { CountedStack } from "./counted-stack.ts";
import type { Cell } from "./table.ts";

const pageSize = 50;
const revision = {
  parametersMetadata: [{ name: "number", type: "Integer", required: true }],
  flow: {
    steps: [{ id: "result", type: "Output", value: "{% input.number * 2 %}" }],
    edges: [],
  },
};

/** Storage calls and capacity units per request of a warm function. */
export const storage: Topic = async ({ countedStack }) => {
  const stack = await countedStack();
  const agents = `${stack.tenantPath}/agents`;
  const hello = `${agents}/${stack.agentId}`;
  for (let at = 0; at < pageSize; at += 1) {
    await stack.send("POST", agents, newAgent(`filler-${String(at).padStart(3, "0")}`));
  }
  const created = await stack.send("POST", `${stack.tenantPath}/webhooks`, { provider: "generic" });
  const { id } = z.object({ id: z.string() }).parse(JSON.parse(created));
  const inbound = `${stack.tenantPath}/webhooks/generic/${id}/${stack.apiKey}`;
  const requests: [string, (turn: number) => Promise<unknown>][] = [
    ["current key", () => stack.send("GET", `${stack.tenantPath}/apiKeys/current`)],
    ["get agent", () => stack.send("GET", hello)],
    ["create agent", (turn) => stack.send("POST", agents, newAgent(`made-${turn}`))],
    ["create revision", () => stack.send("POST", `${agents}/filler-000/revisions`, revision)],
    ["execute hello", () => stack.send("POST", `${hello}:execute`, { input: { name: "you" } })],
    ["inbound delivery", () => stack.send("POST", inbound, { hello: "world" })],
    ["list agents, page of 50", () => stack.send("GET", `${agents}?PageSize=${pageSize}`)],
  ];
  const rows: Cell[][] = [];
  for (const [name, send] of requests) rows.push([name, ...(await cost(stack, send))]);
  return {
    title: "storage: calls and units of one request of a warm function",
    columns: ["request", "round trips", "actions", "read units", "write units"],
    rows,
    notes: [
      "Units are reported by the local engine for ReturnConsumedCapacity, by DynamoDB's rules:",
      "index writes are included, writes of a transaction count twice.",
    ],
  };
};

const newAgent = (id: string) => ({ id, displayName: id });

const cost = async (
  stack: CountedStack,
  send: (turn: number) => Promise<unknown>,
): Promise<Cell[]> => {
  await send(0);
  await stack.storageCalls.reset();
  stack.takeCalls();
  await send(1);
  const { calls, readUnits, writeUnits } = countCalls(stack.takeCalls());
  return [calls, formatActions(await stack.storageCalls.read()), readUnits, writeUnits];
};

/** Formats counts as `UpdateItem 1, GetItem 2`; each action of a transaction or batch counts. */
const formatActions = (byFunction: Record<string, Record<string, number>>): string =>
  Object.values(byFunction)
    .flatMap((actions) => Object.entries(actions))
    .filter(([action]) => action.startsWith("dynamodb:"))
    .map(([action, count]) => `${action.slice("dynamodb:".length)} ${count}`)
    .join(", ");
