import * as z from "zod";
import type { OrganizationEvent } from "../../platform/outbox/organization-event.ts";
import type { Mail } from "./send-mail.ts";

type AgentEvent = OrganizationEvent & { tenantId: string; agentId: string };

const Failed = z.object({
  executionId: z.string(),
  agentRevision: z.int(),
  status: z.string(),
  endTime: z.int(),
  error: z.object({ title: z.string(), step: z.string().nullable() }).nullable(),
});
const Threshold = z.object({
  percent: z.number(),
  month: z.string(),
  amount: z.number(),
  spent: z.number(),
});
const Approval = z.object({
  approvalId: z.string(),
  executionId: z.string(),
  stepId: z.string(),
  title: z.string(),
  expiresAt: z.int(),
});
const AccessRequest = z.object({
  accessRequestId: z.string(),
  provider: z.string(),
  userName: z.string().nullish(),
});

const maxNameLength = 100;

/** Sanitizes untrusted text: one line, no control characters, at most 100 characters. */
const oneLine = (text: string): string =>
  text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ").slice(0, maxNameLength);

const formatTimestamp = (time: number): string => new Date(time).toISOString();

/** Composes the mail about an event; undefined for event types without mail. Contains no input, output or secret. */
export const composeMail = (event: AgentEvent): Omit<Mail, "to"> | undefined => {
  switch (event.type) {
    case "agent.execution.failed":
      return aboutFailure(event);
    case "agent.budget.threshold":
      return aboutBudget(event);
    case "approval.requested":
      return aboutApproval(event);
    case "chat.access_requested":
      return aboutAccess(event);
    default:
      return undefined;
  }
};

const buildAgentPath = ({ tenantId, agentId }: AgentEvent): string =>
  `/v1/tenants/${tenantId}/agents/${agentId}`;

const mail = (
  event: AgentEvent,
  subject: string,
  preference: string,
  lines: readonly string[],
): Omit<Mail, "to"> => ({
  subject: oneLine(`[Wharf] ${subject}`),
  text: [
    ...lines,
    "",
    `You receive this mail because ${preference} is on for you as a collaborator of the agent "${event.agentId}".`,
    "",
  ].join("\n"),
});

const aboutFailure = (event: AgentEvent) => {
  const { executionId, agentRevision, status, endTime, error } = Failed.parse(event.data);
  const step = error?.step ? ` (step "${oneLine(error.step)}")` : "";
  return mail(event, `An execution of ${event.agentId} failed`, "errorAlerts", [
    `An execution of the agent "${event.agentId}" failed.`,
    "",
    `Execution: ${executionId}`,
    `Revision:  ${agentRevision}`,
    `Status:    ${status}`,
    ...(error ? [`Reason:    ${oneLine(error.title)}${step}`] : []),
    `Ended:     ${formatTimestamp(endTime)}`,
    "",
    "For details, see its record and its trace:",
    `GET ${buildAgentPath(event)}/execution-records/${executionId}`,
    `GET ${buildAgentPath(event)}/execution-records/${executionId}/trace`,
  ]);
};

const aboutBudget = (event: AgentEvent) => {
  const { percent, month, amount, spent } = Threshold.parse(event.data);
  const subject = `${event.agentId} has reached ${percent} % of its budget`;
  return mail(event, subject, "budgetAlerts", [
    `The agent "${event.agentId}" has reached ${percent} % of its budget for ${month} (UTC).`,
    "",
    `Spent:  ${spent} USD`,
    `Budget: ${amount} USD a month`,
    "",
    "For details, see:",
    `GET ${buildAgentPath(event)}/budget`,
    `GET ${buildAgentPath(event)}/revisions/*/model-usages`,
  ]);
};

const aboutApproval = (event: AgentEvent) => {
  const { approvalId, executionId, stepId, title, expiresAt } = Approval.parse(event.data);
  const path = `/v1/tenants/${event.tenantId}/approvals/${approvalId}`;
  return mail(event, `An execution of ${event.agentId} waits for a decision`, "approvalAlerts", [
    `An execution of the agent "${event.agentId}" waits for a decision: ${oneLine(title)}`,
    "",
    `Approval:  ${approvalId}`,
    `Execution: ${executionId} (step "${oneLine(stepId)}")`,
    `Decide by: ${formatTimestamp(expiresAt)}`,
    "",
    "Review and decide it on the page Approvals of the console, or with the API:",
    `GET  ${path}`,
    `POST ${path}:decide`,
  ]);
};

const aboutAccess = (event: AgentEvent) => {
  const { accessRequestId, provider, userName } = AccessRequest.parse(event.data);
  const name = userName ? `"${oneLine(userName)}"` : "A chat user";
  const path = `${buildAgentPath(event)}/chatUserAccessRequests/${accessRequestId}`;
  return mail(event, `Access to ${event.agentId} was requested`, "accessRequestAlerts", [
    `${name} requests access to the agent "${event.agentId}" (${oneLine(provider)}).`,
    "",
    `Request: ${accessRequestId}`,
    `Created: ${formatTimestamp(event.occurredAt)}`,
    "",
    "Review the request, then approve or reject it:",
    `GET  ${path}`,
    `POST ${path}:approve`,
    `POST ${path}:reject`,
  ]);
};
