import type { ExecutionDeps } from "../executions/job/job.ts";
import { isReader } from "../executions/read/read-execution.ts";
import { getKeptExecution } from "../executions/record/store.ts";
import { validationFailed } from "../platform/http/problems.ts";
import type { AskContext } from "./ask-agent.ts";
import { noResponse, parseResponseId } from "./ids.ts";

/** Returns the session of an earlier response. Throws 404 for one that the caller may not read, and 400. */
export const readPrevious = async (
  { db }: Pick<ExecutionDeps, "db">,
  {
    ctx: { tenant, principal, clock },
    agentId,
    previous,
  }: { ctx: Pick<AskContext, "tenant" | "principal" | "clock">; agentId: string; previous: string },
): Promise<string> => {
  const key = parseResponseId(previous);
  const found = key && (await getKeptExecution(db, tenant.id, { ...key, now: clock() }));
  if (!found || !isReader(principal, "executions:read", found.item.trigger)) {
    throw noResponse(previous, "previous_response_id");
  }
  const { item } = found;
  const wrong = (detail: string) =>
    validationFailed([{ pointer: "/previous_response_id", detail }]);
  if (item.agentId !== agentId) throw wrong("is the response of another agent");
  if (!item.session) throw wrong("is a response without a session: the agent had none");
  return item.session.id;
};
