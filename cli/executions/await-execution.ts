import { bodyOf } from "../../client/client.ts";
import type { ExecutionDetail } from "../../client/openapi.ts";
import { waitFor } from "../../client/retry.ts";
import type { Session } from "../session.ts";

const firstPauseMs = 500;
const longestPauseMs = 5_000;

/** Reads the record of an execution. */
export const readExecution = ({ client, tenant }: Session, agent: string, execution: string) =>
  bodyOf(
    client.GET("/v1/tenants/{tenant}/agents/{agent}/execution-records/{executionRecord}", {
      params: { path: { tenant, agent, executionRecord: execution } },
    }),
  );

/** Iterates over the record of an execution, read with growing pauses, until it has ended. */
export async function* followExecution(
  session: Session,
  agent: string,
  execution: string,
): AsyncGenerator<ExecutionDetail, void, undefined> {
  for (let pause = firstPauseMs; ; pause = Math.min(longestPauseMs, pause * 1.5)) {
    const record = await readExecution(session, agent, execution);
    yield record;
    if (record.endTime !== null) return;
    await waitFor(pause, new AbortController().signal);
  }
}

/** Waits until an execution has ended and returns its record. */
export const awaitExecution = async (
  session: Session,
  agent: string,
  execution: string,
): Promise<ExecutionDetail> => {
  for await (const record of followExecution(session, agent, execution)) {
    if (record.endTime !== null) return record;
  }
  throw new Error("The record of the execution ended early.");
};
