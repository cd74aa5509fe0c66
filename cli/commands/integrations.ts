import { command, group } from "../command.ts";
import { argument, flag, positive, text, texts } from "../options.ts";
import { sampleIds } from "../sample-ids.ts";

const { config: id } = sampleIds;

const list = command({
  name: "list",
  summary: "List integration configs, oldest first, or the available integrations.",
  options: {
    available: flag("list the available integrations with their settings and credentials"),
    limit: positive("maximum number of configs to list"),
  },
  examples: ["wharf integrations list", "wharf integrations list --available"],
  scopes: "integrations:read",
  json: '`{"items": […]}`, each item as the API returned it',
  run: async (input, io) => (await import("./integrations/list.ts")).listIntegrations(input, io),
});

const create = command({
  name: "create",
  summary: "Create a config of an integration: its settings and credentials.",
  args: { integration: argument("the integration's id, such as github or mcp") },
  options: {
    displayName: text("name", "name to show; by default the integration's id"),
    parameter: texts("name=value", "a setting (can be repeated)"),
    parametersFile: text("file", "JSON file with settings; - reads standard input"),
    credentialEnv: texts(
      "name=variable",
      "a credential, from an environment variable (can be repeated)",
    ),
    credentialsFile: text("file", "JSON file with credentials; - reads standard input"),
    publish: flag("publish the config, so that flows and webhooks use it"),
  },
  notes:
    "`wharf integrations list --available` has the names of the settings and credentials. Credentials are read from a file, standard input or the environment: an argument would stay in the shell's history. They are stored encrypted and returned as ********.",
  examples: [
    "wharf integrations create github --credential-env token=GITHUB_TOKEN --publish",
    "wharf integrations create mcp --parameter url=https://mcp.example.com/mcp",
  ],
  scopes: "integrations:write",
  json: "the config as the API returned it",
  run: async (input, io) => (await import("./integrations/create.ts")).createConfig(input, io),
});

const publish = command({
  name: "publish",
  summary: "Publish a revision of an integration config.",
  args: { config: argument("the config's id") },
  options: {
    revision: positive("revision to publish; by default the latest, an earlier one rolls back"),
  },
  examples: [`wharf integrations publish ${id}`, `wharf integrations publish ${id} --revision 1`],
  scopes: "integrations:write",
  json: "the config as the API returned it",
  run: async (input, io) => (await import("./integrations/publish.ts")).publishConfig(input, io),
});

/** Rows of `wharf integrations`. */
export const integrations = group({
  name: "integrations",
  summary: "Manage the settings and credentials of external systems.",
  examples: [
    "wharf integrations create github --credential-env token=GITHUB_TOKEN --publish",
    "wharf integrations list",
  ],
  commands: [list, create, publish],
});
