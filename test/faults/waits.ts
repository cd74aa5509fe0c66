import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import * as z from "zod";
import { leaseAttributes } from "../../lib/executions/record/execution-record.ts";
import { nameEvent } from "./effects.ts";
import { scaleWait } from "./scale-wait.ts";
import {
  type ExecutionRecord,
  leftovers,
  listRecords,
  settled,
  stillOpen,
  sumFigure,
  wrongSpend,
  wrongUsage,
} from "./scenario.ts";
import type { ProductResponse, TestTenant, World } from "./world.ts";

/** An approval, as lists show it. */
const Approval = z.looseObject({
  id: z.string(),
  executionId: z.string(),
  status: z.enum(["Pending", "Decided", "TimedOut", "Cancelled"]),
  arguments: z.record(z.string(), z.unknown()).nullable(),
  decisions: z.array(z.looseObject({ action: z.string() })),
});
export type Approval = z.output<typeof Approval>;

const Approvals = z.object({ items: z.array(Approval), nextPageToken: z.string().nullable() });
const Detail = z.looseObject({ status: z.string(), output: z.unknown() });
const Execution = z.looseObject({ executionId: z.string() });

/** Starts an execution that waits, half of them in the background; returns its id. */
export const startWaiting = async (
  tenant: TestTenant,
  agent: string,
  { n, ...input }: { n: number; id: string } & Readonly<Record<string, string | number>>,
): Promise<string> => {
  const { body } = await tenant.mustSend("POST", `/agents/${agent}:execute`, {
    body: { input },
    headers: {
      "idempotency-key": randomUUID(),
      ...(n % 2 === 1 && { Prefer: "respond-async" }),
    },
  });
  return Execution.parse(body).executionId;
};

/** Reads an execution's status and output. */
export const readExecution = async (tenant: TestTenant, agent: string, id: string) =>
  Detail.parse((await tenant.mustSend("GET", `/agents/${agent}/execution-records/${id}`)).body);

/** Lists approvals, oldest last; `filter` such as `executionId=ID`. */
export const listApprovals = async (tenant: TestTenant, filter = ""): Promise<Approval[]> => {
  const found: Approval[] = [];
  for (let skip: string | null = "0"; skip !== null; ) {
    const path = `/approvals?PageSize=200&PageToken.Skip=${skip}&${filter}`;
    const page = Approvals.parse((await tenant.mustSend("GET", path)).body);
    found.push(...page.items);
    skip = page.nextPageToken;
  }
  return found;
};

/** A burst of kills takes minutes on a busy machine. */
const timeoutMs = scaleWait(300_000);
const lookMs = 250;

/** Waits until `find` returns something; throws when nothing was found in time. */
export const untilFound = async <Found>(
  what: string,
  find: () => Promise<Found | undefined>,
): Promise<Found> => {
  for (const end = Date.now() + timeoutMs; Date.now() < end; ) {
    const found = await find();
    if (found !== undefined) return found;
    await sleep(lookMs);
  }
  throw new Error(`${what} did not appear`);
};

/** Waits for an execution's approvals; `executionId` is its outermost caller's, too. */
export const untilAsked = (
  tenant: TestTenant,
  executionId: string,
  count = 1,
): Promise<Approval[]> =>
  untilFound(`approval of ${executionId}`, async () => {
    const found = await listApprovals(tenant, `executionId=${executionId}`);
    return found.length >= count ? found : undefined;
  });

/** Waits until an execution has a status. */
export const untilStatus = async (
  tenant: TestTenant,
  { agent, id, status }: { agent: string; id: string; status: string },
): Promise<void> => {
  await untilFound(`${id} as ${status}`, async () =>
    (await readExecution(tenant, agent, id)).status === status ? true : undefined,
  );
};

/** Decides an approval. */
export const decide = (tenant: TestTenant, { id }: Approval, body: object) =>
  tenant.send("POST", `/approvals/${id}:decide`, { body });

/**
 * Reports requests at the same moment of which not exactly one was accepted. One that was sent again may be refused because
 * of its own first effect.
 */
export const wrongRace = (what: string, responses: readonly ProductResponse[]): string[] => {
  const accepted = responses.filter(({ status }) => status < 300).length;
  const isExplained = responses.some(({ status, isRepeated }) => status === 409 && isRepeated);
  const isRight =
    responses.every(({ status }) => status < 300 || status === 409) &&
    (accepted === 1 || (accepted === 0 && isExplained));
  const statuses = responses.map(({ status, text }) => `${status} ${text.slice(0, 200)}`);
  return isRight ? [] : [`${what}: ${statuses.join(" and ")}`];
};

/** Events that an approval has had, by its status. */
const eventsByStatus = {
  Pending: ["approval.requested"],
  Decided: ["approval.requested", "approval.decided"],
  TimedOut: ["approval.requested", "approval.timed_out"],
  Cancelled: ["approval.requested"],
} as const;
const eventTypes = ["approval.requested", "approval.decided", "approval.timed_out"];

/** The agents of a kind of work that waits. `budgeted`: those with an enforced budget. */
type WaitingAgents = { agents: readonly string[]; budgeted?: readonly string[] };

/** The rest of work that waits. */
export type Ended = {
  /** By agent. */
  records: ExecutionRecord[][];
  approvals: Approval[];
  broken: string[];
};

/**
 * Waits for the end of executions and approvals. Finds what is left of them: open ones, leases, reservations, approvals
 * that are pending; usage that was not counted once, and events of approvals that are missing or wrong.
 */
export const untilEnded = async (
  world: World,
  tenant: TestTenant,
  { agents, budgeted = [] }: WaitingAgents,
): Promise<Ended> => {
  const listAll = () => Promise.all(agents.map((agent) => listRecords(tenant, agent)));
  const open = await settled(async () => {
    const [records, approvals] = await Promise.all([listAll(), listApprovals(tenant)]);
    const counted = await Promise.all(
      agents.map((agent, at) => wrongUsage(tenant, agent, records[at] ?? [])),
    );
    return [
      ...counted.flat(),
      ...(await uncounted(world, tenant)),
      ...(await leftovers(world, tenant.id)),
      ...stillOpen(records.flat()),
      ...approvals
        .filter(({ status }) => status === "Pending")
        .map(({ id }) => `pending: approval ${id}`),
      ...approvals.flatMap((approval) => wrongEvents(world, approval)),
    ];
  });
  const [records, approvals] = await Promise.all([listAll(), listApprovals(tenant)]);
  const counted = await Promise.all(
    agents.map(async (agent, at) => [
      ...(budgeted.includes(agent)
        ? await wrongSpend(world, tenant.id, agent, sumFigure(records[at] ?? [], "totalCost"))
        : []),
    ]),
  );
  const broken = [...open, ...counted.flat(), ...(await leases(world, tenant))];
  return { records, approvals, broken };
};

const wrongEvents = ({ effects }: World, { id, status }: Approval): string[] => {
  const expected: readonly string[] = eventsByStatus[status];
  return eventTypes.flatMap((type) => {
    const isPublished = effects.counts.has(nameEvent(type, id));
    if (isPublished === expected.includes(type)) return [];
    return [`approval ${id} is ${status}: ${isPublished ? "wrong" : "no"} ${type}`];
  });
};

/** Lists cancelled executions without counted usage, with their items and those of their callers. */
const uncounted = async (world: World, tenant: TestTenant): Promise<string[]> => {
  const items = await world.findItems(tenant.id);
  const records = items.filter(({ sk }) => /^EXEC#[^#]+$/.test(String(sk)));
  return records
    .filter(({ status, settled: isCounted }) => status === "Cancelled" && !isCounted)
    .map((record) => {
      const ids = [String(record.sk).slice("EXEC#".length), String(Object(record.trigger).id)];
      const related = items.filter(({ pk, sk }) => ids.some((id) => `${pk} ${sk}`.includes(id)));
      return `not counted: ${JSON.stringify(related)}`;
    });
};

/** Lists the members of leases that ended executions have. */
const leases = async (world: World, tenant: TestTenant): Promise<string[]> =>
  (await world.findItems(tenant.id)).flatMap((item) => {
    const sk = String(item.sk);
    if (!/^EXEC#[^#]+$/.test(sk) || !("endTime" in item)) return [];
    const left = leaseAttributes.filter((name) => name in item);
    return left.length > 0 ? [`${sk} has ${left.join(", ")}`] : [];
  });

/** Returns the only decision of an approval; undefined for none. */
export const findDecision = ({ decisions }: Approval): string | undefined =>
  decisions.length === 1 ? decisions[0]?.action : undefined;

/** Gives agents an enforced budget that is larger than what they spend. */
export const enforceBudgets = async (
  tenant: TestTenant,
  agents: readonly string[],
): Promise<void> => {
  const body = { amount: 100, thresholdRules: [], enforceLimit: true };
  for (const agent of agents) {
    await tenant.mustSend("PUT", `/agents/${agent}/budget`, { body });
  }
};
