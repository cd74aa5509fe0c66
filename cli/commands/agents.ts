import { command, group } from "../command.ts";
import { argument, flag, optionalArgument, positive, text, texts } from "../options.ts";

const list = command({
  name: "list",
  summary: "List agents.",
  options: { limit: positive("maximum number of agents to list") },
  examples: ["wharf agents list", "wharf agents list --json | jq -r '.items[].id'"],
  scopes: "agents:read",
  json: '`{"items": […]}`, with items as the API returned them',
  run: async (input, io) => (await import("./agents/list.ts")).listAgents(input, io),
});

const get = command({
  name: "get",
  summary: "Show an agent.",
  args: { agent: argument("the agent's id") },
  examples: ["wharf agents get hello"],
  scopes: "agents:read",
  json: "the agent as the API returned it",
  run: async (input, io) => (await import("./agents/get.ts")).getAgent(input, io),
});

const create = command({
  name: "create",
  summary: "Create an agent without a revision.",
  args: { agent: argument("the new agent's id") },
  options: {
    displayName: text("name", "name to show; by default the id"),
    description: text("text", "description of the agent"),
  },
  examples: ["wharf agents create support --display-name Support"],
  scopes: "agents:write",
  json: "the agent as the API returned it",
  run: async (input, io) => (await import("./agents/create.ts")).createAgent(input, io),
});

const init = command({
  name: "init",
  summary: "Write a new agent from a template to files.",
  notes:
    "The file is ID.agent.yaml in DIR, by default agents, with a sample of its inputs and what else it needs. The commands that create it are printed.",
  args: { dir: optionalArgument("the folder; by default agents") },
  options: {
    template: text("name", "the template"),
    list: flag("list the templates"),
    id: text("id", "the new agent's id; by default the name of the template"),
    provider: text("provider", "id or name of its model provider; by default echo"),
    model: text("model", "name of its model; by default that of the provider"),
  },
  examples: [
    "wharf agents init --list",
    "wharf agents init new-agents --template support-triage",
    "wharf agents init more-agents --template support-triage --id triage --provider my-openai",
  ],
  json: '`{"template": "support-triage", "id": "support-triage", "files": […], "commands": […]}`; with --list `{"items": [{name, displayName, description, needs, input}]}`',
  run: async (input, io) => (await import("./agents/init.ts")).initAgent(input, io),
});

const remove = command({
  name: "delete",
  summary: "Delete an agent with its revisions, executions and schedules.",
  args: { agent: argument("the agent's id") },
  options: { yes: flag("skip the confirmation") },
  examples: ["wharf agents delete support --yes"],
  scopes: "agents:write",
  json: '`{"id": "support", "deleted": true}`',
  run: async (input, io) => (await import("./agents/delete.ts")).deleteAgent(input, io),
});

const variables =
  "Variables of the environment are written $" +
  "{NAME} in a file, and $$" +
  "{NAME} is that text. Secrets are never pulled: they read ********, which keeps the stored ones.";

const pull = command({
  name: "pull",
  summary: "Write an agent and its skills to files.",
  notes:
    "The file is AGENT.agent.yaml in DIR, by default the current folder; skills are in skills/. Comments, order and " +
    "style of an existing file are kept.",
  args: {
    agent: optionalArgument("the agent's id"),
    dir: optionalArgument("the folder"),
  },
  options: {
    all: flag("all agents; the only argument is the folder"),
    revision: positive("the revision; by default the latest one"),
  },
  examples: [
    "wharf agents pull hello agents",
    "wharf agents pull hello agents --revision 1",
    "wharf agents pull --all agents",
  ],
  scopes: "agents:read, revisions:read, skills:read",
  json: '`{"items": [{kind, id, file, revision, changed}]}`',
  run: async (input, io) => (await import("./agents/pull.ts")).pullAgents(input, io),
});

const diff = command({
  name: "diff",
  summary: "Compare files with the latest revisions; exit code 3 if something differs.",
  notes: variables,
  args: { dir: optionalArgument("the folder; by default the current one") },
  examples: ["wharf agents diff agents", "wharf agents diff agents --json"],
  scopes: "agents:read, revisions:read, skills:read",
  json: '`{"items": [{kind, id, file, status, revision, deployedRevision, changes, secretsNotCompared}]}`; `status` is `Same`, `Different` or `New`',
  run: async (input, io) => (await import("./agents/diff.ts")).diffAgents(input, io),
});

const apply = command({
  name: "apply",
  summary: "Create or update agents, skills and revisions from files that differ.",
  notes: `${variables}\nWith --require, the agent that the experiment tested is deployed only if its latest revision was among the tested ones and no mean is below its minimum. Other agents are deployed as without it. The exit code is 3 if a revision fell short.`,
  args: { dir: optionalArgument("the folder; by default the current one") },
  options: {
    deploy: flag("deploy the latest revisions"),
    require: texts(
      "experiment:scorer=mean",
      "lowest mean of a scorer in an experiment, to deploy the agent that it tested (can be repeated)",
    ),
    yes: flag("skip the confirmation"),
    dryRun: flag("only print the changes"),
    secrets: flag("also create revisions for secrets, which can't be compared"),
    comment: text("text", "comment of the revisions, instead of the one in the file"),
  },
  examples: [
    "wharf agents apply agents --dry-run",
    "wharf agents apply agents --deploy --yes --comment 'Friendlier greeting'",
  ],
  scopes:
    "agents:read, agents:write, revisions:read, revisions:write, skills:read, skills:write; to deploy revisions:deploy, and agents:execute for agents with sub-agents or schedules; assets:read for revisions that name assets, and for skills with resources; integrations:read for revisions that name integration configs, and for skills with tools of configured integrations; for --require datasets:read",
  json: '`{"items": [{kind, id, file, action, revision}]}`; `action` is `Created`, `Updated`, `Revised`, `Deployed` or `FellShort`, which has `shortfalls`, too',
  run: async (input, io) => (await import("./agents/apply.ts")).applyAgents(input, io),
});

/** Rows of `wharf agents`. */
export const agents = group({
  name: "agents",
  summary: "Manage agents.",
  examples: ["wharf agents list", "wharf agents create support --display-name Support"],
  commands: [list, get, create, init, remove, pull, diff, apply],
});
