import { unwrapBody } from "../../../client/client.ts";
import type { Approval, ApprovalStatus } from "../../../client/openapi.ts";
import type { GlobalInput } from "../../command.ts";
import type { Io } from "../../io.ts";
import { listAll } from "../../list.ts";
import { printList, showTime } from "../../output.ts";
import { openSession } from "../../session.ts";
import { showApprovers, showWaited } from "./show-approval.ts";
import { showDecision } from "./show-decision.ts";

type Input = GlobalInput & {
  status: ApprovalStatus | undefined;
  mine: boolean;
  agent: string | undefined;
  execution: string | undefined;
  limit: number | undefined;
};

/** Runs `wharf approvals list`. */
export const listApprovals = async (input: Input, io: Io): Promise<void> => {
  const { status, mine, agent, execution, limit = 50 } = input;
  const filter = {
    ...(status && { status }),
    ...(mine && { mayDecide: "true" as const }),
    ...(agent !== undefined && { agentId: agent }),
    ...(execution !== undefined && { executionId: execution }),
  };
  const { client, tenant } = await openSession(input, io);
  const items = await listAll(
    (page) =>
      unwrapBody(
        client.GET("/v1/tenants/{tenant}/approvals", {
          params: { path: { tenant }, query: { ...filter, ...page } },
        }),
      ),
    limit,
    io,
  );
  printList(io, input, { items, none: "No approvals found.", heading, toRow });
};

const heading = ["ID", "STATUS", "AGENT", "TITLE", "WAITED", "EXPIRES", "APPROVERS", "DECISION"];

const toRow = (approval: Approval): string[] => [
  approval.id,
  approval.status,
  approval.agentId,
  approval.title,
  showWaited(approval),
  showTime(approval.expiresAt),
  showApprovers(approval),
  approval.decisions.map(showDecision).join(", "),
];
