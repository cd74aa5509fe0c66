import { unwrapBody } from "../../../client/client.ts";
import type { Approval } from "../../../client/openapi.ts";
import { ProblemError } from "../../../client/problem-error.ts";
import type { Io } from "../../io.ts";
import { printMessage } from "../../output.ts";
import type { Session } from "../../session.ts";

/** Prints the approvals that an execution waits for, and their commands to decide. */
export const printWaiting = async (
  session: Session,
  executionId: string,
  io: Pick<Io, "stderr">,
): Promise<void> => {
  for (const { id, title, actions } of await listPending(session, executionId)) {
    const choice = actions.map((action) => action.id).join("|");
    printMessage(io, `Waiting for an approval: ${title}`);
    printMessage(io, `  wharf approvals decide ${id} ${choice}`);
  }
};

/** Lists pending approvals of an execution; none for a principal that may not. */
const listPending = async (
  { client, tenant }: Session,
  executionId: string,
): Promise<readonly Approval[]> => {
  try {
    const query = { executionId, status: "Pending" as const };
    const page = await unwrapBody(
      client.GET("/v1/tenants/{tenant}/approvals", { params: { path: { tenant }, query } }),
    );
    return page.items;
  } catch (error) {
    if (error instanceof ProblemError && error.status === 403) return [];
    throw error;
  }
};
