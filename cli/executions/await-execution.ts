import { unwrapBody, type WharfClient } from "../../client/client.ts";
import type { ExecutionDetail, ExecutionTrace } from "../../client/openapi.ts";
import { ProblemError } from "../../client/problem-error.ts";
import { pauses } from "../pauses.ts";
import type { Session } from "../session.ts";

/** Reads the record of an execution. */
export const readExecution = ({ client, tenant }: Session, agent: string, execution: string) =>
  unwrapBody(
    client.GET("/v1/tenants/{tenant}/agents/{agent}/execution-records/{executionRecord}", {
      params: { path: { tenant, agent, executionRecord: execution } },
    }),
  );

/** Reads the trace of an execution; undefined for a principal that may not. */
export const readTrace = async (
  client: WharfClient,
  path: { tenant: string; agent: string; executionRecord: string },
): Promise<ExecutionTrace | undefined> => {
  try {
    return await unwrapBody(
      client.GET("/v1/tenants/{tenant}/agents/{agent}/execution-records/{executionRecord}/trace", {
        params: { path },
      }),
    );
  } catch (error) {
    if (error instanceof ProblemError && [403, 404].includes(error.status)) return undefined;
    throw error;
  }
};

/** Iterates over the record of an execution, read with growing pauses, until it has ended. */
export async function* followExecution(
  session: Session,
  agent: string,
  execution: string,
): AsyncGenerator<ExecutionDetail, void, undefined> {
  for await (const _ of pauses()) {
    const record = await readExecution(session, agent, execution);
    yield record;
    if (record.endTime !== null) return;
  }
}

/** Waits until an execution has ended and returns its record. `onWaiting`: called whenever it begins to wait. */
export const awaitExecution = async (
  session: Session,
  { agent, execution }: { agent: string; execution: string },
  onWaiting: (executionId: string) => Promise<void>,
): Promise<ExecutionDetail> => {
  let isWaiting = false;
  for await (const record of followExecution(session, agent, execution)) {
    if (record.endTime !== null) return record;
    const hasWaited = isWaiting;
    isWaiting = record.status === "Waiting";
    if (isWaiting && !hasWaited) await onWaiting(execution);
  }
  throw new Error("The record of the execution ended early.");
};
