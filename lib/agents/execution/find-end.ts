import * as z from "zod";
import type { FlowError } from "../../engine/flow/flow-result.ts";
import type { Json } from "../../json/json.ts";
import { type ObjectStore, unpackValue } from "../../platform/db/large-value.ts";
import type { WholeExecution } from "./items.ts";
import { type ExecutionError, type ExecutionStatus, finalStatuses } from "./schemas.ts";

/** The outcome of an execution. */
export type End = { status: ExecutionStatus; output: Json; error: FlowError | null };

const StoredJson = z.custom<Json>((value) => value !== undefined);
const Slug = z.enum(["execution-failed", "upstream-failed", "upstream-timeout", "budget-exceeded"]);

/** Returns the outcome of a stored execution; undefined while it has not ended. */
export const endOf = async (
  { item: { status }, output }: WholeExecution,
  objects: ObjectStore,
): Promise<End | undefined> => {
  if (!finalStatuses.has(status)) return undefined;
  return {
    status,
    output: output ? StoredJson.parse(await unpackValue(output.output, objects)) : null,
    error: output?.error ? toFlowError(output.error) : null,
  };
};

const toFlowError = (error: ExecutionError): FlowError => ({
  slug: Slug.parse(error.type.split("/").at(-1)),
  detail: error.detail,
  step: error.step,
  ...(error.upstream !== null && { upstream: error.upstream }),
  ...(error.upstreamStatus !== null && { upstreamStatus: error.upstreamStatus }),
});
