import type { ExecutionStatus } from "../../../client/openapi.ts";
import { isDay } from "../shared/search-params.ts";
import { statuses } from "./status.ts";

/** Filters of executions in the address. Days are `YYYY-MM-DD` in the browser's zone, both inclusive. */
export type ExecutionSearch = {
  agent?: string | undefined;
  status?: ExecutionStatus | undefined;
  from?: string | undefined;
  to?: string | undefined;
};

/** Parses the filters of an address; others are dropped. */
export const parseExecutionSearch = ({
  agent,
  status,
  from,
  to,
}: Record<string, unknown>): ExecutionSearch => {
  const known = statuses.find((candidate) => candidate === status);
  return {
    ...(typeof agent === "string" && { agent }),
    ...(known !== undefined && { status: known }),
    ...(isDay(from) && { from }),
    ...(isDay(to) && { to }),
  };
};

/** Returns the first millisecond of a day. */
export const startOfDay = (day: string): number => new Date(`${day}T00:00`).getTime();

/** Returns the last millisecond of a day, which may have 23 or 25 hours. */
export const endOfDay = (day: string): number => {
  const next = new Date(startOfDay(day));
  next.setDate(next.getDate() + 1);
  return next.getTime() - 1;
};
