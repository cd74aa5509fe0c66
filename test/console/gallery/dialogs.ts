import type { DemoNames } from "./data/demo.ts";
import type { View } from "./pages.ts";

const dialog = (name: string, address: string, ...clicks: NonNullable<View["clicks"]>): View => ({
  name: `dialog-${name}`,
  address,
  clicks,
});

/** The main dialogs. */
export const dialogViews = (names: DemoNames): readonly View[] => {
  const t = `t/${names.tenant}`;
  const support = `${t}/agents/support`;
  const ticketDesk = `${t}/agents/ticket-desk`;
  const webhook = `${t}/webhooks/${names.webhook}`;
  const menu = (menuFor: string, item: string) => ({ menuFor: menuFor, item });
  return [
    dialog("create-agent", `${t}/agents`, { button: "Create agent" }),
    dialog("edit-agent", `${support}/flow`, menu("Support", "Edit")),
    dialog("delete-agent", `${support}/flow`, menu("Support", "Delete")),
    dialog("compare-revisions", `${support}/revisions`, { button: "Compare revisions" }),
    dialog("deploy", `${t}/agents/contract-review/revisions`, { button: "Deploy" }),
    dialog(
      "deploy-requires",
      `${ticketDesk}/revisions`,
      { button: "Deploy" },
      { choice: "Required experiment", option: names.experiment },
    ),
    dialog(
      "deploy-fell-short",
      `${ticketDesk}/revisions`,
      { button: "Deploy" },
      { choice: "Required experiment", option: names.experiment },
      { field: "Minimum of routed", text: "1" },
      { confirm: "Deploy" },
    ),
    dialog("budget", `${support}/cost`, { button: "Edit budget" }),
    dialog("online-evaluation", `${support}/cost`, { button: "Edit online evaluation" }),
    dialog(
      "online-evaluation-refused",
      `${t}/agents/contract-review/cost`,
      { button: "Set online evaluation" },
      { confirm: "Save" },
    ),
    dialog("remove-online-evaluation", `${support}/cost`, { button: "Remove online evaluation" }),
    dialog("invite-collaborator", `${support}/collaborators`, { button: "Invite collaborator" }),
    dialog("add-schedule", `${support}/schedules`, { button: "Add schedule" }),
    dialog("create-webhook", `${t}/webhooks`, { button: "Create webhook" }),
    dialog("edit-webhook", webhook, menu("Generic", "Edit")),
    dialog("add-subscription", webhook, { button: "Add subscription" }),
    dialog("create-connector", `${t}/connectors?agent=support`, { button: "Create connector" }),
    dialog("edit-connector", `${t}/connectors?agent=support`, menu("Chat on our website", "Edit")),
    dialog("flow-approval", `${t}/agents/refunds/flow`, { step: "Approval ask" }),
    dialog("flow-wait", `${t}/agents/refunds/flow`, { step: "Wait bank" }),
    dialog("flow-tool-approval", `${t}/agents/refunds/flow`, { step: "Prompt pay" }),
    dialog("approval-arguments", `${t}/approvals/${names.toolApproval}`, {
      button: "Edit arguments",
    }),
    dialog("approve", `${t}/access-requests?agent=support`, { button: "Approve" }),
    dialog("edit-asset", `${t}/knowledge`, menu("Docs", "Edit")),
    dialog("delete-asset", `${t}/knowledge`, menu("Docs", "Delete")),
    dialog("remove-document", `${t}/knowledge/assets/shop`, menu("returns.md", "Remove")),
    dialog("subscribe-asset", `${t}/knowledge/assets/docs?tab=subscriptions`, {
      button: "Subscribe to a webhook",
    }),
    dialog("estimate-refused", `${t}/knowledge/new?type=jira`, { button: "Estimate" }),
    dialog("create-dataset", `${t}/datasets`, { button: "Create dataset" }),
    dialog("edit-dataset", `${t}/datasets`, menu("Tickets", "Edit")),
    dialog("import-examples", `${t}/datasets/tickets`, { button: "Import file" }),
    dialog("add-example", `${t}/datasets/tickets`, { button: "Add example" }),
    dialog("edit-in-place", `${t}/datasets/tickets`, { button: '{"team":"billing"}' }),
    dialog("add-to-dataset", `${t}/executions/support/${names.succeeded}`, {
      button: "Add to dataset",
    }),
    dialog("views", `${t}/executions`, { button: "Views" }),
    dialog("palette", `${t}/executions`, { button: "Go to" }),
    dialog("add-score", `${t}/executions/support/${names.succeeded}`, { button: "Add score" }),
    dialog("feedback-link", `${t}/executions/support/${names.succeeded}`, {
      button: "Create feedback link",
    }),
    dialog(
      "feedback-link-created",
      `${t}/executions/support/${names.succeeded}`,
      { button: "Create feedback link" },
      { field: "Names", text: "helpful" },
      { confirm: "Create" },
    ),
    dialog("create-scorer", `${t}/experiments?tab=scorers`, { button: "Create scorer" }),
    dialog("edit-scorer", `${t}/experiments?tab=scorers`, menu("Polite", "Edit")),
    dialog("create-skill", `${t}/skills`, { button: "Create skill" }),
    dialog(
      "new-skill",
      `${t}/skills`,
      { button: "Create skill" },
      { button: "Start without a file" },
    ),
    dialog("new-config", `${t}/integrations`, { button: "Add OpenAPI" }),
    dialog(
      "new-config-oauth",
      `${t}/integrations`,
      { button: "Add OpenAPI" },
      { box: "Use OAuth 2" },
      { field: "Resource", text: "https://api.example.com" },
    ),
    dialog(
      "edit-config-oauth",
      `${t}/integrations/configs/${names.connectedConfig}`,
      menu("Customers of each user", "Edit"),
      { field: "Issuer", text: "https://login.example.com" },
    ),
    dialog("use-agent", `${support}/flow`, { button: "Use this agent" }),
    dialog("draft-refused", `${support}/flow`, { button: "Run" }, { button: "Run draft" }),
    dialog("try-it", `${t}/agents/weekly-report/try`, { button: "Run" }),
    dialog(
      "chat",
      `${t}/agents/concierge/try?session=web-grace`,
      { field: "message", text: "How do I get to the station?" },
      { button: "Send" },
    ),
    dialog("session-tool", `${t}/sessions/concierge/${names.session}`, {
      text: "Tool call calculate",
    }),
    dialog("delete-session", `${t}/sessions/concierge/${names.session}`, {
      button: "Delete session",
    }),
    dialog("delete-memories", `${t}/agents/host/memories?namespace=ada`, {
      button: "Delete all memories",
    }),
    dialog(
      "flow-memory",
      `${t}/agents/host/flow`,
      { step: "Prompt reply" },
      {
        field: "Max facts",
        text: "9",
      },
    ),
    dialog("flow-sessions", `${t}/agents/concierge/flow`, { button: "Settings" }),
    dialog("flow-palette", `${support}/flow`, { button: "Add step" }),
    dialog("flow-json", `${support}/flow`, { button: "JSON" }),
    dialog(
      "flow-run",
      `${t}/agents/weekly-report/flow`,
      { button: "Run" },
      { button: "Run draft" },
    ),
    dialog("flow-condition", `${support}/flow`, { step: "Condition" }),
    dialog("user", `${t}/agents`, { button: "User admin@local.wharf.invalid" }),
    dialog("run-tool", `${t}/integrations/system/tools`, { button: "Run Calculate" }),
    dialog("create-provider", `${t}/models`, { button: "Create provider" }),
    dialog("test-provider", `${t}/models`, menu("OpenAI", "Test")),
    dialog("create-key", `${t}/api-keys`, { button: "Create API key" }),
    dialog(
      "issued-key",
      `${t}/api-keys`,
      { button: "Create API key" },
      { field: "Name", text: "From the console" },
      { choice: "Preset", option: "Runner" },
      { button: "Create" },
    ),
    dialog("edit-key", `${t}/api-keys`, menu("Production runner", "Edit")),
    dialog("rotate-key", `${t}/api-keys`, menu("Production runner", "Rotate")),
    dialog("revoke-key", `${t}/api-keys`, menu("Production runner", "Revoke")),
    dialog("refused", `${t}/api-keys`, { button: "Create API key" }, { button: "Create" }),
  ];
};
