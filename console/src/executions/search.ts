import type { ExecutionStatus } from "../../../client/openapi.ts";
import { statuses } from "./status.ts";

/** Filters of executions in the address. */
export type ExecutionSearch = { agent?: string; status?: ExecutionStatus };

/** Parses the filters of an address; others are dropped. */
export const parseExecutionSearch = ({
  agent,
  status,
}: Record<string, unknown>): ExecutionSearch => {
  const known = statuses.find((candidate) => candidate === status);
  return {
    ...(typeof agent === "string" && { agent }),
    ...(known !== undefined && { status: known }),
  };
};
