import { unwrapBody } from "../../../client/client.ts";
import type { Approval } from "../../../client/openapi.ts";
import { ProblemError } from "../../../client/problem-error.ts";
import type { Io } from "../../io.ts";
import { printMessage, showTime } from "../../output.ts";
import type { Session } from "../../session.ts";
import { showApprovers } from "../approvals/show-approval.ts";

/** Prints the approvals that an execution waits for, and their commands to decide. */
export type PrintWaiting = (executionId: string) => Promise<void>;

/** Creates a printer of approvals that prints an approval once. */
export const createWaitingPrinter = (
  session: Pick<Session, "client" | "tenant">,
  io: Pick<Io, "stderr">,
): PrintWaiting => {
  const printed = new Set<string>();
  return async (executionId) => {
    for (const approval of await listPending(session, executionId)) {
      const { id, title, actions, expiresAt, authorizeUrl } = approval;
      if (printed.has(id)) continue;
      printed.add(id);
      const choice = actions.map((action) => action.id).join("|");
      const asked = `${showApprovers(approval)}; until ${showTime(expiresAt)}`;
      printMessage(io, `Waiting for an approval: ${title} (${asked})`);
      if (authorizeUrl !== null) printMessage(io, `  Give consent at ${authorizeUrl}`);
      printMessage(io, `  wharf approvals decide ${id} ${choice}`);
    }
  };
};

/** Lists pending approvals of an execution; none for a principal that may not. */
const listPending = async (
  { client, tenant }: Pick<Session, "client" | "tenant">,
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
