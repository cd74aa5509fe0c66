import * as z from "zod";
import type { OrganizationEvent } from "../../platform/outbox/organization-event.ts";
import type { Mail } from "./send-mail.ts";

/** An event of an agent. */
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
const AccessRequest = z.object({
  accessRequestId: z.string(),
  provider: z.string(),
  userName: z.string().nullish(),
});

const longestName = 100;

/** One line of what a stranger chose: no control characters, not long. */
const oneLine = (text: string): string =>
  text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ").slice(0, longestName);

const dateOf = (time: number): string => new Date(time).toISOString();

/** The mail about an event; undefined for one that nobody gets mail about. Holds no input, output or secret. */
export const composeMail = (event: AgentEvent): Omit<Mail, "to"> | undefined => {
  switch (event.type) {
    case "agent.execution.failed":
      return aboutFailure(event);
    case "agent.budget.threshold":
      return aboutBudget(event);
    case "chat.access_requested":
      return aboutAccess(event);
    default:
      return undefined;
  }
};

const pathOf = ({ tenantId, agentId }: AgentEvent): string =>
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
    `You get this because ${preference} is on for you, as a collaborator of the agent "${event.agentId}".`,
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
    `Ended:     ${dateOf(endTime)}`,
    "",
    "Its record says more, and its trace what each step did:",
    `GET ${pathOf(event)}/execution-records/${executionId}`,
    `GET ${pathOf(event)}/execution-records/${executionId}/trace`,
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
    "What it is spent on:",
    `GET ${pathOf(event)}/budget`,
    `GET ${pathOf(event)}/revisions/*/model-usages`,
  ]);
};

const aboutAccess = (event: AgentEvent) => {
  const { accessRequestId, provider, userName } = AccessRequest.parse(event.data);
  const name = userName ? `"${oneLine(userName)}"` : "Somebody";
  const path = `${pathOf(event)}/chatUserAccessRequests/${accessRequestId}`;
  return mail(event, `Access to ${event.agentId} is asked for`, "accessRequestAlerts", [
    `${name} asks to chat with the agent "${event.agentId}" (${oneLine(provider)}).`,
    "",
    `Request: ${accessRequestId}`,
    `Asked:   ${dateOf(event.occurredAt)}`,
    "",
    "Look at it, and decide:",
    `GET  ${path}`,
    `POST ${path}:approve`,
    `POST ${path}:reject`,
  ]);
};
