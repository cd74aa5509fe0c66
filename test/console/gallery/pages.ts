import type { DemoNames } from "./data/demo.ts";

/** A view of a page or dialog: its address, and the clicks that open it. */
export type View = {
  /** Name of the file. */
  name: string;
  /** Address below `/console/`. */
  address: string;
  clicks?: readonly Click[];
  /** Role of the user; Admin by default. */
  role?: "Runner";
};

/**
 * A button to click, a step of a graph to select, or an item of a row's menu; text to type into a field, an option to choose, a box to check, or a picture to
 * upload for a field, by its name; the button that confirms the dialog.
 */
export type Click =
  | { button: string }
  | { text: string }
  | { step: string }
  | { menuFor: string; item: string }
  | { field: string; text: string }
  | { choice: string; option: string }
  | { box: string }
  | { pictureFor: string; name: string }
  | { confirm: string };

/** Views of each route with a page. A route without views is an error. */
export const viewsOfRoutes = (names: DemoNames): Readonly<Record<string, readonly View[]>> => {
  const t = `t/${names.tenant}`;
  const support = `${t}/agents/support`;
  return {
    "/": [],
    "/t/$tenant/": [
      { name: "home", address: `${t}/` },
      { name: "start-runner", address: t, role: "Runner" },
    ],
    "/t/$tenant/docs/$page": [{ name: "docs", address: `${t}/docs/webhooks` }],
    "/t/$tenant/templates": [
      { name: "templates", address: `${t}/templates` },
      { name: "template", address: `${t}/templates?template=support-triage` },
    ],
    "/t/$tenant/agents": [{ name: "agents", address: `${t}/agents` }],
    "/t/$tenant/agents/$agent/": [],
    "/t/$tenant/agents/$agent/flow": [{ name: "agent-flow", address: `${support}/flow` }],
    "/t/$tenant/agents/$agent/revisions": [
      { name: "agent-revisions", address: `${support}/revisions` },
    ],
    "/t/$tenant/agents/$agent/try": [
      { name: "agent-try-it", address: `${t}/agents/weekly-report/try` },
      { name: "agent-chat", address: `${support}/try?from=${names.succeeded}` },
      {
        name: "agent-try-files",
        address: `${t}/agents/claims/try`,
        clicks: [{ pictureFor: "photo", name: "roof.png" }],
      },
    ],
    "/t/$tenant/agents/$agent/executions": [
      { name: "agent-executions", address: `${support}/executions` },
      {
        name: "agent-executions-empty",
        address: `${t}/agents/contract-review/executions`,
      },
    ],
    "/t/$tenant/agents/$agent/sessions": [
      { name: "agent-sessions", address: `${t}/agents/concierge/sessions` },
      { name: "agent-sessions-empty", address: `${t}/agents/contract-review/sessions` },
    ],
    "/t/$tenant/agents/$agent/memories": [
      { name: "agent-memories", address: `${t}/agents/host/memories?namespace=ada` },
      { name: "agent-memories-none", address: `${t}/agents/host/memories` },
    ],
    "/t/$tenant/sessions/$agent/$session": [
      { name: "session", address: `${t}/sessions/concierge/${names.session}` },
    ],
    "/t/$tenant/agents/$agent/cost": [
      { name: "agent-cost", address: `${support}/cost` },
      { name: "agent-cost-empty", address: `${t}/agents/contract-review/cost` },
    ],
    "/t/$tenant/agents/$agent/collaborators": [
      { name: "agent-collaborators", address: `${support}/collaborators` },
    ],
    "/t/$tenant/agents/$agent/connectors": [
      { name: "agent-connectors", address: `${support}/connectors` },
    ],
    "/t/$tenant/agents/$agent/schedules": [
      { name: "agent-schedules", address: `${support}/schedules` },
      { name: "agent-schedules-empty", address: `${t}/agents/issue-triage/schedules` },
    ],
    "/t/$tenant/executions": [
      { name: "executions", address: `${t}/executions` },
      { name: "executions-of-agent", address: `${t}/executions?agent=support` },
      { name: "executions-failed", address: `${t}/executions?error=e&minCost=0&score=thumbs%3Dno` },
      { name: "executions-filtered", address: `${t}/executions?agent=support&status=Queued` },
    ],
    "/t/$tenant/executions/$agent/$executionRecord": [
      { name: "execution", address: `${t}/executions/support/${names.succeeded}` },
      { name: "execution-files", address: `${t}/executions/claims/${names.claim}` },
      { name: "execution-failed", address: `${t}/executions/issue-triage/${names.failed}` },
      { name: "execution-waiting", address: `${t}/executions/refunds/${names.waiting}` },
      { name: "execution-running", address: `${t}/executions/nightly-import/${names.running}` },
    ],
    "/t/$tenant/approvals": [
      { name: "approvals", address: `${t}/approvals` },
      { name: "approvals-all", address: `${t}/approvals?status=All` },
      { name: "approvals-empty", address: `${t}/approvals?status=TimedOut` },
    ],
    "/t/$tenant/approvals/$approval": [
      { name: "approval", address: `${t}/approvals/${names.approval}` },
      { name: "approval-tool", address: `${t}/approvals/${names.toolApproval}` },
    ],
    "/t/$tenant/webhooks": [{ name: "webhooks", address: `${t}/webhooks` }],
    "/t/$tenant/webhooks/$webhook": [
      { name: "webhook", address: `${t}/webhooks/${names.webhook}` },
    ],
    "/t/$tenant/webhooks/$webhook/deliveries/$delivery": [
      { name: "delivery", address: `${t}/webhooks/${names.webhook}/deliveries/${names.delivery}` },
    ],
    "/t/$tenant/connectors": [{ name: "connectors", address: `${t}/connectors?agent=support` }],
    "/t/$tenant/connectors/$agent/$connector": [
      { name: "connector", address: `${t}/connectors/support/${names.connector}` },
    ],
    "/t/$tenant/access-requests": [
      { name: "access-requests", address: `${t}/access-requests?agent=support` },
      {
        name: "access-requests-approved",
        address: `${t}/access-requests?agent=support&status=Approved`,
      },
      { name: "access-requests-empty", address: `${t}/access-requests?agent=hello` },
    ],
    "/t/$tenant/knowledge": [{ name: "knowledge", address: `${t}/knowledge` }],
    "/t/$tenant/knowledge/new": [
      { name: "asset-new", address: `${t}/knowledge/new` },
      { name: "asset-new-of-source", address: `${t}/knowledge/new?type=jira` },
    ],
    "/t/$tenant/knowledge/assets/$asset": [
      { name: "asset-uploaded", address: `${t}/knowledge/assets/shop` },
      { name: "asset-of-source", address: `${t}/knowledge/assets/docs` },
      { name: "asset-failed", address: `${t}/knowledge/assets/wiki` },
      { name: "asset-syncing", address: `${t}/knowledge/assets/archive` },
      { name: "asset-without-source", address: `${t}/knowledge/assets/handbook.pdf` },
      {
        name: "asset-search",
        address: `${t}/knowledge/assets/shop?tab=search&query=How%20long%20can%20I%20return%20a%20desk%3F`,
      },
      { name: "asset-search-empty", address: `${t}/knowledge/assets/wiki?tab=search` },
      {
        name: "asset-subscriptions",
        address: `${t}/knowledge/assets/docs?tab=subscriptions`,
      },
      {
        name: "asset-subscriptions-empty",
        address: `${t}/knowledge/assets/shop?tab=subscriptions`,
      },
    ],
    "/t/$tenant/datasets": [{ name: "datasets", address: `${t}/datasets` }],
    "/t/$tenant/datasets/$dataset": [
      { name: "dataset", address: `${t}/datasets/tickets` },
      { name: "dataset-version", address: `${t}/datasets/tickets?version=1&split=test` },
      { name: "dataset-empty", address: `${t}/datasets/new` },
    ],
    "/t/$tenant/experiments": [
      { name: "experiments", address: `${t}/experiments` },
      { name: "scorers", address: `${t}/experiments?tab=scorers` },
    ],
    "/t/$tenant/experiments/new": [
      {
        name: "experiment-new",
        address: `${t}/experiments/new?dataset=tickets&agent=ticket-desk`,
      },
    ],
    "/t/$tenant/experiments/$experiment": [
      {
        name: "experiment",
        address: `${t}/experiments/${names.experiment}?revision=2&against=1`,
      },
      {
        name: "experiment-no-regressions",
        address: `${t}/experiments/${names.experiment}?revision=3&against=1`,
      },
      {
        name: "experiment-results",
        address: `${t}/experiments/${names.experiment}?tab=results`,
      },
      {
        name: "experiment-versions",
        address: `${t}/experiments/${names.experiment}?tab=versions`,
      },
    ],
    "/t/$tenant/skills": [{ name: "skills", address: `${t}/skills` }],
    "/t/$tenant/skills/$skill": [{ name: "skill", address: `${t}/skills/${names.skill}` }],
    "/t/$tenant/integrations": [{ name: "integrations", address: `${t}/integrations` }],
    "/t/$tenant/integrations/$integration/tools": [
      { name: "integration-tools", address: `${t}/integrations/system/tools` },
    ],
    "/t/$tenant/integrations/configs/$config": [
      { name: "integration-config", address: `${t}/integrations/configs/${names.config}` },
      {
        name: "integration-config-connections",
        address: `${t}/integrations/configs/${names.connectedConfig}`,
      },
    ],
    "/t/$tenant/models": [{ name: "models", address: `${t}/models` }],
    "/t/$tenant/api-keys": [
      { name: "api-keys", address: `${t}/api-keys` },
      { name: "api-keys-revoked", address: `${t}/api-keys?revoked=true` },
    ],
    "/t/$tenant/api-keys/$apiKey/history": [
      { name: "api-key-history", address: `${t}/api-keys/${names.key}/history` },
    ],
    "/t/$tenant/members": [{ name: "members", address: `${t}/members` }],
    "/t/$tenant/guardrails": [{ name: "guardrails", address: `${t}/guardrails` }],
    "/t/$tenant/guardrails/new": [{ name: "guardrail-new", address: `${t}/guardrails/new` }],
    "/t/$tenant/guardrails/details/$guardrail": [
      { name: "guardrail", address: `${t}/guardrails/details/privacy` },
    ],
    "/t/$tenant/usage": [
      { name: "usage", address: `${t}/usage` },
      { name: "usage-week", address: `${t}/usage?range=7d` },
      { name: "usage-by-agent", address: `${t}/usage?groupBy=agent&measure=executions` },
    ],
  };
};
