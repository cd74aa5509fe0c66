import { unwrapBody } from "../../client/client.ts";
import { pauses } from "../pauses.ts";
import type { Session } from "../session.ts";

/** Reads an experiment with its summary. */
export const readExperiment = ({ client, tenant }: Session, experiment: string) =>
  unwrapBody(
    client.GET("/v1/tenants/{tenant}/experiments/{experiment}", {
      params: { path: { tenant, experiment } },
    }),
  );

/** An experiment with its summary. */
export type ExperimentDetail = Awaited<ReturnType<typeof readExperiment>>;

/** Iterates over an experiment, read with growing pauses, until its summary is made or the signal aborts. */
export async function* followExperiment(
  session: Session,
  experiment: string,
  signal: AbortSignal,
): AsyncGenerator<ExperimentDetail, void, undefined> {
  for await (const _ of pauses(signal)) {
    const read = await readExperiment(session, experiment);
    yield read;
    if (read.endedAt !== null) return;
  }
}
