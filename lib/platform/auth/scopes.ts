import * as z from "zod";

/** The scope vocabulary: resource, then its actions, with the permission that they give. */
const catalog = {
  agents: {
    read: "Read agents, collaborators and budgets",
    write: "Create, change and delete agents",
    execute: "Run deployed agents",
    test: "Run any revision as a test",
  },
  revisions: {
    read: "Read revisions, history, cost and model usage",
    write: "Create revisions",
    deploy: "Deploy a revision or roll back to one",
  },
  integrations: {
    read: "Read integrations, their configurations and webhooks",
    write: "Create and change integration configurations and webhooks",
  },
  tools: { read: "List tools", write: "Create and change tools", test: "Run a tool" },
  executions: { read: "Read execution records" },
  traces: { read: "Read traces", write: "Write traces" },
  skills: { read: "Read skills", write: "Create and change skills" },
  llm_providers: {
    read: "Read language-model providers",
    write: "Create and change language-model providers",
    test: "Make a test call to a language model",
  },
  datasets: { read: "Read datasets", write: "Create and change datasets" },
  assets: { read: "Read assets and source types", write: "Estimate and change assets" },
  connectors: {
    read: "Read connectors",
    write: "Create and change connectors",
    test: "Make a test call through a connector",
  },
  chat_users: {
    read: "Read chat users and access requests",
    write: "Decide access requests and remove chat users",
  },
  keys: {
    read: "Read API keys and their history",
    write: "Mint, rotate, change and revoke API keys",
  },
  organization: {
    read: "Read the organization's tenants and event destinations",
    write: "Create tenants; choose where events are sent",
  },
  inbound: { deliver: "Deliver webhooks and chat messages" },
  mcp: { invoke: "Call tools over the Model Context Protocol" },
} as const;

type Catalog = typeof catalog;

/** A permission of the form `resource:action`. */
export type ScopeName = {
  [Resource in keyof Catalog & string]: `${Resource}:${keyof Catalog[Resource] & string}`;
}[keyof Catalog & string];

/** One row of the live scope catalog. */
export type ScopeEntry = { scope: string; resource: string; action: string; description: string };

/** The whole catalog, in the order of the interface. */
export const scopeEntries: readonly ScopeEntry[] = Object.entries(catalog).flatMap(
  ([resource, actions]) =>
    Object.entries(actions).map(([action, description]) => ({
      scope: `${resource}:${action}`,
      resource,
      action,
      description,
    })),
);

const scopeNames = new Set(scopeEntries.map((entry) => entry.scope));

const isScopeName = (value: string): value is ScopeName => scopeNames.has(value);

/** A scope of the catalog. */
export const ScopeName = z
  .string()
  .refine(isScopeName, { error: "is not a scope; GET …/apiKeys/scopes lists them" })
  .meta({
    id: "Scope",
    description: "A permission, `resource:action`.",
    example: "agents:execute",
  });

const allScopes = scopeEntries.map((entry) => entry.scope).filter(isScopeName);

const readAndWrite = (...resources: string[]): ScopeName[] =>
  allScopes.filter((scope) => {
    const [resource = "", action = ""] = scope.split(":");
    return resources.includes(resource) && (action === "read" || action === "write");
  });

/** Named scope lists. Expanded when a key is minted or a user's role is read; never stored by name. */
export const presets: Readonly<Record<PresetName, readonly ScopeName[]>> = {
  Runner: ["agents:execute", "traces:write"],
  Builder: readAndWrite(
    "agents",
    "revisions",
    "integrations",
    "tools",
    "traces",
    "datasets",
    "assets",
  ),
  "Read-only": allScopes.filter((scope) => scope.endsWith(":read")),
  Admin: allScopes,
};

/** The names of the presets, as they are written back. */
export type PresetName = "Runner" | "Builder" | "Read-only" | "Admin";

const presetByLowerCase = new Map(
  Object.entries(presets).map(([name, scopes]) => [name.toLowerCase(), scopes]),
);

/** The scopes of a preset, found whatever its case; undefined for an unknown name. */
export const findPreset = (name: string): readonly ScopeName[] | undefined =>
  presetByLowerCase.get(name.toLowerCase());

/** The scopes of `wanted` that `own` lacks. */
export const scopesBeyond = (wanted: readonly string[], own: readonly string[]): string[] =>
  wanted.filter((scope) => !own.includes(scope));

/**
 * Callers that a route allows: a scope of the catalog; `authenticated`, any caller with credentials;
 * `api-key`, any API key but no user token; `public`, any caller.
 */
export type RequiredScope = ScopeName | "authenticated" | "api-key" | "public";
