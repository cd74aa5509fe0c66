import type { SpendGuard, SpendLimit } from "../../engine/flow/spend-guard.ts";
import { dollars } from "../../engine/models/sums.ts";
import { StepError } from "../../engine/step-error.ts";
import type { ExecutionRecord } from "../../executions/record/execution-record.ts";
import type { Database } from "../../platform/db/database.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import type { ExperimentKey } from "./keys.ts";
import { raiseReservation } from "./store.ts";

/** Keeps a run with its sub-agents and scorers within `maxCost` of its experiment. */
export type CostLimit = SpendLimit & {
  /** Replaces what was counted by the cost of the ended execution with its sub-agents, US dollars. */
  settle(cost: number): void;
  /** Returns why a model call was refused; undefined when none was. */
  refusal(): string | undefined;
};

/** Returns the limit of a run; undefined for an experiment without `maxCost`. */
export const costLimitFor = (
  db: Database,
  place: ExperimentKey,
  { id, allowance }: Pick<ExecutionRecord, "id" | "allowance">,
): CostLimit | undefined =>
  allowance === undefined ? undefined : costLimit(db, place, { executionId: id, allowance });

const separator = "/";

/**
 * Returns the limit of a run for an agent that scores it and is continued by another function: all that the run has
 * reserved counts as spent.
 */
export const continuedLimitFor = (db: Database, tenantId: TenantId, name: string): SpendLimit => {
  const [experimentId = "", executionId = ""] = name.split(separator);
  const run = { executionId, allowance: 0 };
  const limit = costLimit(db, { tenantId, experimentId }, run);
  return { ...limit, guardFor: (run) => limit.guardFor(run, true) };
};

/**
 * Keeps a run within `maxCost`. Within its reservation a model call needs no storage call; before one that may cost more, the
 * reservation is raised. A refused call ends the run: later ones are refused, too.
 */
const costLimit = (
  db: Database,
  place: ExperimentKey,
  { executionId, allowance }: { executionId: string; allowance: number },
): CostLimit => {
  let reserved = allowance;
  let counted = 0;
  /** The most that earlier runs may have spent, where it is not known; "unread" until the reservation was raised or found raised. */
  let earlier: number | "unread" = 0;
  let refusal: string | undefined;
  let last: Promise<unknown> = Promise.resolve();
  const ledgers = new Map<string, () => number>();

  const refuse = (detail: string): StepError => {
    refusal ??= detail;
    return new StepError("budget-exceeded", refusal);
  };

  const raise = async (amount: number): Promise<void> => {
    for (;;) {
      if (refusal !== undefined) throw refuse(refusal);
      const before = reserved;
      const known = earlier === "unread" ? before : earlier;
      const after = dollars(amount + known);
      if (after <= before) return;
      const change = { executionId, before, after };
      const outcome = await raiseReservation(db, place, change);
      if (outcome.type === "ended") {
        throw new StepError("execution-failed", "The run of the experiment has ended.");
      }
      if (outcome.type === "spent") throw refuse(spentDetail(outcome.maxCost));
      reserved = outcome.reserved;
      if (outcome.type === "raised") {
        earlier = known;
        return;
      }
    }
  };

  const guard = (run: string): SpendGuard => ({
    checkUnpriced: (model) => {
      throw refuse(
        `The model "${model}" has no price, and the experiment has maxCost. Add its price to MODEL_PRICES, or leave maxCost out.`,
      );
    },
    reserve: ({ most }) => {
      ledgers.set(run, most);
      const amount = ledgers.values().reduce((sum, cost) => sum + cost(), counted);
      const mine = last.then(() => raise(amount));
      last = mine.catch(() => undefined);
      return mine;
    },
  });

  return {
    name: [place.experimentId, executionId].join(separator),
    guardFor: (run, hasUnknownCosts = false) => {
      if (hasUnknownCosts && earlier === 0) earlier = "unread";
      return guard(run);
    },
    count: (cost) => {
      counted += cost;
    },
    refuse: (detail) => {
      refusal ??= detail;
    },
    settle: (cost) => {
      ledgers.clear();
      counted = cost;
      earlier = 0;
    },
    refusal: () => refusal,
  };
};

const spentDetail = (maxCost: number | null): string =>
  `The next model call may not fit in maxCost of the experiment, ${maxCost} USD.`;
