import { expect, vi } from "vitest";
import * as z from "zod";
import {
  createApprovalLink,
  decideApproval,
  showApprovalPage,
  submitApprovalPage,
} from "../../functions/approvals/routes.ts";
import type { Route } from "../../lib/edge/route.ts";
import type { newOrganization } from "../harness/api.ts";

type Organization = Awaited<ReturnType<typeof newOrganization>>;

/** Rows for approvers. */
const forApprovers: ReadonlySet<string> = new Set(
  [createApprovalLink, decideApproval, showApprovalPage, submitApprovalPage].map(
    ({ operation }) => operation,
  ),
);

const Approvals = z.object({ items: z.array(z.object({ id: z.string() })) });

/** Returns the only approval of a tenant, once it waits. */
export const findOnlyApproval = (own: Organization): Promise<string> =>
  vi.waitFor(
    async () => {
      const { items } = Approvals.parse((await own.send("GET", "/approvals")).body);
      expect(items).toHaveLength(1);
      return items[0]?.id ?? "";
    },
    { timeout: 15_000 },
  );

/** Creates an execution that waits for an approval, for the rows with one in their paths. */
export const prepareApproval = async (
  own: Organization,
  row: Route,
): Promise<Record<string, string>> => {
  if (row.group !== "approvals") return {};
  // Without the scope to read executions, the caller of other rows must not be an approver.
  const approvers = forApprovers.has(row.operation) ? undefined : { users: ["ada"] };
  const step = { id: "decide", type: "Approval", title: "Pay?", approvers, allowStarter: true };
  await own.deployAgent("pay", { flow: { steps: [step], edges: [] } });
  await own.send("POST", "/agents/pay:execute", { input: {} });
  const approval = await findOnlyApproval(own);
  if (!row.signed) return { approval };
  return { approvalToken: await createLink(own, approval) };
};

const Link = z.object({ url: z.string() });

/** Creates a link to an approval, and returns the end of its path. */
const createLink = async (own: Organization, approval: string): Promise<string> => {
  const { body } = await own.send("POST", `/approvals/${approval}:link`, {});
  return Link.parse(body).url.split("/approval-links/")[1] ?? "";
};
