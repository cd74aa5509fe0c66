import * as z from "zod";
import type { FlowError } from "../engine/flow/flow-result.ts";
import type { Json } from "../values/json/json.ts";
import type { StoredExecution } from "./items.ts";
import type { Storage } from "./parts.ts";
import { readEnd } from "./read-execution.ts";
import { type ExecutionError, type ExecutionStatus, finalStatuses } from "./schemas.ts";

/** The outcome of an execution. */
export type End = { status: ExecutionStatus; output: Json; error: FlowError | null };

const Slug = z.enum(["execution-failed", "upstream-failed", "upstream-timeout", "budget-exceeded"]);

/** Returns the outcome of a stored execution; undefined while it has not ended. */
export const findEnd = async (
  storage: Storage,
  execution: StoredExecution,
): Promise<End | undefined> => {
  const { status } = execution.item;
  if (!finalStatuses.has(status)) return undefined;
  const end = await readEnd(storage, execution);
  return { status, output: end?.output ?? null, error: end?.error ? toFlowError(end.error) : null };
};

const toFlowError = (error: ExecutionError): FlowError => ({
  slug: Slug.parse(error.type.split("/").at(-1)),
  detail: error.detail,
  step: error.step,
  ...(error.upstream !== null && { upstream: error.upstream }),
  ...(error.upstreamStatus !== null && { upstreamStatus: error.upstreamStatus }),
});
