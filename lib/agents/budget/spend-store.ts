import * as z from "zod";
import { dollars } from "../../engine/models/sums.ts";
import type { Database } from "../../platform/db/database.ts";
import { getItem } from "../../platform/db/get-item.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { type TransactionWrite, transact } from "../../platform/db/transact.ts";
import type { OrganizationEvent } from "../../platform/outbox/organization-event.ts";
import { putInOutbox } from "../../platform/outbox/outbox-store.ts";
import { executionKey, monthSpendKey } from "../keys.ts";

/** An agent's spending in a month, US dollars. */
export const MonthSpend = z.object({
  /** Cost of ended executions. */
  spent: z.number().default(0),
  /** `spent` plus the reservations of running executions. */
  committed: z.number().default(0),
  /** Percents of the budget whose thresholds were crossed. */
  raised: z.set(z.number()).default(new Set()),
});
export type MonthSpend = z.output<typeof MonthSpend>;

/** TENANT#t#AGENT#a / SPEND#2026-11: reads the agent's spending of a month; zeros when there is none. */
export const getMonthSpend = async (
  db: Database,
  tenantId: TenantId,
  agentId: string,
  month: string,
): Promise<MonthSpend> =>
  (await getItem(db, monthSpendKey(tenantId, agentId, month), MonthSpend)) ?? MonthSpend.parse({});

/**
 * Builds the writes that replace an execution's reservation with its cost, both in US dollars; none when both
 * are 0. `reserved` is the whole reservation on the execution's record.
 */
export const settleSpend = (
  tenantId: TenantId,
  agentId: string,
  month: string,
  { cost, reserved }: { cost: number; reserved: number },
): TransactionWrite[] =>
  cost === 0 && reserved === 0
    ? []
    : [
        {
          Update: {
            Key: monthSpendKey(tenantId, agentId, month),
            UpdateExpression: "ADD spent :cost, committed :more",
            ExpressionAttributeValues: {
              ":cost": dollars(cost),
              ":more": dollars(dollars(cost) - reserved),
            },
          },
        },
      ];

/** The execution and month that a reservation belongs to. */
export type Reservation = {
  tenantId: TenantId;
  agentId: string;
  month: string;
  executionId: string;
};

/**
 * Reserves `more` US dollars for an execution, on its record and in its month, while the committed sum is
 * below `amount`. Returns "spent" when it is not, "ended" when the execution has ended.
 */
export const reserveSpend = async (
  db: Database,
  { tenantId, agentId, month, executionId }: Reservation,
  { more, amount }: { more: number; amount: number },
): Promise<"reserved" | "spent" | "ended"> => {
  const outcome = await transact(db, [
    {
      Update: {
        Key: executionKey(tenantId, agentId, executionId),
        UpdateExpression: "ADD reserved :more",
        ConditionExpression: "#status IN (:queued, :running)",
        ExpressionAttributeNames: { "#status": "status" },
        ExpressionAttributeValues: { ":more": more, ":queued": "Queued", ":running": "Running" },
      },
    },
    {
      Update: {
        Key: monthSpendKey(tenantId, agentId, month),
        UpdateExpression: "ADD committed :more",
        ConditionExpression: "attribute_not_exists(committed) OR committed < :amount",
        ExpressionAttributeValues: { ":more": more, ":amount": amount },
      },
    },
  ]);
  if (outcome.written) return "reserved";
  return outcome.failed[0] ? "ended" : "spent";
};

/**
 * Records that a month's spending crossed a threshold, and its event in the outbox; false when it was recorded
 * before.
 */
export const recordThreshold = async (
  db: Database,
  tenantId: TenantId,
  agentId: string,
  {
    month,
    percent,
    event,
  }: { month: string; percent: number; event: OrganizationEvent | undefined },
): Promise<boolean> => {
  const { written } = await transact(db, [
    {
      Update: {
        Key: monthSpendKey(tenantId, agentId, month),
        UpdateExpression: "ADD raised :raised",
        ConditionExpression: "NOT contains(raised, :percent)",
        ExpressionAttributeValues: { ":raised": new Set([percent]), ":percent": percent },
      },
    },
    ...(event ? [putInOutbox(event)] : []),
  ]);
  return written;
};
