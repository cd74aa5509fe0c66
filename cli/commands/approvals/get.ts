import { unwrapBody } from "../../../client/client.ts";
import type { Approval } from "../../../client/openapi.ts";
import type { GlobalInput } from "../../command.ts";
import type { Io } from "../../io.ts";
import { printFields, printJson, showTime } from "../../output.ts";
import { openSession, type Session } from "../../session.ts";
import { showApprovers, showWaited } from "./show-approval.ts";
import { showDecision } from "./show-decision.ts";

type Input = GlobalInput & { approval: string };

/** Runs `wharf approvals get`. */
export const getApproval = async (input: Input, io: Io): Promise<void> => {
  const approval = await readApproval(await openSession(input, io), input.approval);
  if (input.json) printJson(io, approval);
  else printFields(io, toFields(approval));
};

/** Reads an approval. */
export const readApproval = ({ client, tenant }: Session, approval: string): Promise<Approval> =>
  unwrapBody(
    client.GET("/v1/tenants/{tenant}/approvals/{approval}", {
      params: { path: { tenant, approval } },
    }),
  );

const toFields = (approval: Approval): [name: string, value: string][] =>
  [
    ["ID", approval.id],
    ["Status", approval.status],
    ["Title", approval.title],
    ...field("Message", approval.message),
    ...field("Give consent at", approval.authorizeUrl),
    ["Agent", `${approval.agentId}, revision ${approval.agentRevision}`],
    ["Execution", `${approval.executionId}, step ${approval.stepId}`],
    ["Requested", showTime(approval.createdAt)],
    [approval.status === "Pending" ? "Waits for" : "Waited", showWaited(approval)],
    ["Expires", showTime(approval.expiresAt)],
    ...field("Tool", approval.toolId),
    ...field("Arguments", approval.arguments),
    ...field("Data", approval.data),
    ["Actions", approval.actions.map(({ id }) => id).join(", ")],
    ...field("Fields", approval.fields.map(showField).join(", ") || null),
    ["Approvers", showApprovers(approval)],
    ...(approval.minApprovals > 1 ? [["Needed", `${approval.minApprovals} people`] as const] : []),
    ...approval.decisions.map(
      (decision) =>
        [
          "Decision",
          [showDecision(decision), decision.comment].filter(Boolean).join(": "),
        ] as const,
    ),
  ].map(([name, value]) => [name, value]);

const field = (name: string, value: unknown): [string, string][] => {
  if (value === null) return [];
  return [[name, typeof value === "string" ? value : JSON.stringify(value, null, 2)]];
};

const showField = ({ name, type, required }: Approval["fields"][number]): string =>
  `${name} (${type}${required ? ", required" : ""})`;
