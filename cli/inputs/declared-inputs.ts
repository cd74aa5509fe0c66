import { unwrapBody } from "../../client/client.ts";
import type { Revision } from "../../client/openapi.ts";
import { ProblemError } from "../../client/problem-error.ts";
import type { Session } from "../session.ts";

/** An input that a revision declares. */
export type DeclaredInput = Revision["parametersMetadata"][number];

/**
 * Reads the inputs that a revision of an agent declares, by default the deployed one. Undefined where the credentials may
 * not read it, or it does not exist: the request that uses the inputs responds with the reason.
 */
export const readDeclaredInputs = async (
  { client, tenant }: Session,
  agent: string,
  revision?: number,
): Promise<readonly DeclaredInput[] | undefined> => {
  try {
    const number = revision ?? (await readRevisionNumber({ client, tenant }, agent));
    if (number === null) return undefined;
    const path = { tenant, agent, revision: number };
    const found = await unwrapBody(
      client.GET("/v1/tenants/{tenant}/agents/{agent}/revisions/{revision}", { params: { path } }),
    );
    return found.parametersMetadata;
  } catch (error) {
    if (error instanceof ProblemError && (error.status === 403 || error.status === 404)) {
      return undefined;
    }
    throw error;
  }
};

/** Returns the deployed revision of an agent, or its latest one before the first deployment. */
const readRevisionNumber = async (
  { client, tenant }: Pick<Session, "client" | "tenant">,
  agent: string,
): Promise<number | null> => {
  const path = { tenant, agent };
  const found = await unwrapBody(
    client.GET("/v1/tenants/{tenant}/agents/{agent}", { params: { path } }),
  );
  return found.deployedRevision ?? found.latestRevision;
};
