import { unwrapBody, type WharfClient } from "../../../../client/client.ts";
import type { Approval, DecideApprovalBody } from "../../../../client/openapi.ts";
import type { DemoContext } from "./demo.ts";
import type { Revision } from "./revisions.ts";

const call = {
  name: "http_request",
  arguments: {
    method: "POST",
    url: "https://pay.example.com/refunds",
    body: '{"order": "A-1042", "amount": 250, "currency": "EUR"}',
  },
};

const payStep = {
  id: "pay",
  type: "Prompt",
  llm: { providerId: "echo", parameters: {} },
  prompt: JSON.stringify({ call }),
  tools: [
    "current_time",
    {
      integrationId: "system",
      toolId: "http_request",
      approval: "{% arguments.method != 'GET' %}",
      approvers: { roles: ["Owner"] },
    },
  ],
};

/** An agent that asks before it refunds, or waits for the bank. */
const refundRevision: Revision = {
  comment: "Asks before it refunds more than 100",
  parametersMetadata: [
    { name: "customer", type: "String", required: true },
    { name: "amount", type: "Float", required: true },
  ],
  flow: {
    steps: [
      {
        id: "ask",
        type: "Approval",
        name: "Ask the team",
        title: "Refund {% input.amount %} to {% input.customer %}?",
        message: "The customer says that the desk arrived with a scratch.\nThe photo shows it.",
        data: { customer: "{% input.customer %}", amount: "{% input.amount %}", order: "A-1042" },
        fields: [
          { name: "account", type: "Option", required: true, options: ["main", "returns"] },
          { name: "note", type: "String", required: false, description: "For the accounting" },
        ],
        actions: [
          { id: "approve", label: "Refund", target: "pay" },
          { id: "later", label: "Wait for the bank", target: "bank" },
          { id: "reject", label: "Reject" },
        ],
        approvers: { users: ["grace@acme.example"], roles: ["Owner", "Editor"] },
        minApprovals: 2,
        timeoutSeconds: 172_800,
        onTimeout: "reject",
      },
      {
        id: "bank",
        type: "Wait",
        name: "Answer of the bank",
        callback: true,
        timeoutSeconds: 604_800,
        onTimeout: "continue",
      },
      payStep,
    ],
    edges: [],
  },
};

/** An agent with a model that asks before it calls the tool that pays. */
const payoutRevision: Revision = {
  comment: "Asks before it pays",
  flow: { steps: [payStep], edges: [] },
};

/** Creates agents that ask people, and executions that wait for them. Returns names. */
export const createApprovals = async (context: DemoContext, colleague: WharfClient) => {
  await createAgent(context, { id: "refunds", displayName: "Refunds" }, refundRevision);
  await createAgent(context, { id: "payouts", displayName: "Payouts" }, payoutRevision);
  const pending = await ask(context, "refunds", { customer: "Grace", amount: 250 });
  const rejected = await ask(context, "refunds", { customer: "Eve", amount: 9_000 });
  const tool = await ask(context, "payouts", {});
  const decide = (approval: string, body: DecideApprovalBody) =>
    colleague.POST("/v1/tenants/{tenant}/approvals/{approval}:decide", {
      params: { path: { ...context.path, approval } },
      body,
    });
  await decide(pending.id, {
    action: "approve",
    fields: { account: "returns" },
    comment: "The photo is clear.",
  });
  await decide(rejected.id, { action: "reject", comment: "No such order." });
  return { waiting: pending.executionId, approval: pending.id, toolApproval: tool.id };
};

const createAgent = async (
  { client, path }: DemoContext,
  agent: { id: string; displayName: string },
  body: Revision,
): Promise<void> => {
  const agentPath = { ...path, agent: agent.id };
  await client.POST("/v1/tenants/{tenant}/agents", { params: { path }, body: agent });
  await client.POST("/v1/tenants/{tenant}/agents/{agent}/revisions", {
    params: { path: agentPath },
    body,
  });
  await client.POST("/v1/tenants/{tenant}/agents/{agent}/revisions/{revision}:deploy", {
    params: { path: { ...agentPath, revision: 1 } },
  });
};

/** Executes an agent, and returns the approval that it waits for. */
const ask = async (
  { client, path }: DemoContext,
  agent: string,
  input: Record<string, unknown>,
): Promise<Approval> => {
  const result = await unwrapBody(
    client.POST("/v1/tenants/{tenant}/agents/{agent}:execute", {
      params: { path: { ...path, agent } },
      body: { input },
    }),
  );
  if (typeof result === "string") throw new TypeError("The response is an event stream.");
  for (;;) {
    const { items } = await unwrapBody(
      client.GET("/v1/tenants/{tenant}/approvals", {
        params: { path, query: { executionId: result.executionId, status: "Pending" } },
      }),
    );
    const [found] = items;
    if (found) return found;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
};
