import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { parseSync } from "oxc-parser";
import { expect, test } from "vitest";
import { consoleModules } from "../../infra/local/prepare/input-hash.ts";
import { vendors } from "../../lib/vendors/vendors.ts";

/** The floors, declared once: folders from the ground up. A file imports its own folder and the floors below. */
const floors = [
  ["lib/platform"],
  ["lib/values"],
  ["lib/engine"],
  ["lib/vendors"],
  ["lib/tenancy"],
  ["lib/edge"],
  ["lib/notifications"],
  ["lib/knowledge", "lib/integrations"],
  ["lib/files"],
  ["lib/agents"],
  ["lib/spending"],
  ["lib/executions"],
  ["lib/approvals"],
  ["lib/mcp", "lib/evaluation", "lib/memory"],
  ["lib/chat", "lib/openai"],
  ["lib/webhooks", "lib/a2a"],
  ["functions"],
  ["infra", "cli", "client", "console"],
  ["test"],
];

/** The floors inside an area, from the ground up. Files of the area itself are below its folders unless named. */
const innerFloors: Readonly<Record<string, readonly (readonly string[])[]>> = {
  "lib/platform": [
    ["runtime", "tracing"],
    ["outgoing"],
    ["http"],
    ["signatures", "db"],
    ["queue", "sandbox"],
    ["auth", "deletion", "outbox", "slots"],
  ],
  "lib/values": [["json", "text"], ["expression"]],
  "lib/engine": [["models"], ["tools"], ["guardrails"], ["flow"]],
  "lib/vendors": [["shared"], vendors, ["registry"]],
  "lib/tenancy": [
    ["tenant", "audit"],
    ["api-key", "collaborator", "llm-provider"],
  ],
  "lib/edge": [["idempotency"], ["endpoint.ts", "implied-problems.ts"], ["streamed-endpoint.ts"]],
  "lib/notifications": [["destination"], ["alert"]],
  "lib/integrations": [["catalog", "oauth"], ["config"], ["connection"], ["tools"]],
  "lib/knowledge": [
    ["sources"],
    ["files", "index"],
    ["usage"],
    ["asset"],
    ["document"],
    ["estimate", "search", "sync"],
    ["purge"],
  ],
  "lib/approvals": [["link"], ["notice"]],
  "lib/agents": [
    ["guardrail", "job-policy", "skill", "template"],
    ["agent"],
    ["revision"],
    ["schedule"],
  ],
  "lib/spending": [["usage"], ["budget"]],
  "lib/executions": [
    ["record"],
    ["lease"],
    ["session"],
    ["approvals", "checkpoints", "job", "otlp"],
    ["guard", "purge", "read"],
    ["end", "hooks"],
    ["start"],
    ["wait"],
    ["run"],
    ["recover"],
  ],
  "lib/evaluation": [["dataset", "score"], ["scorer"], ["experiment", "online"]],
  "lib/chat": [["connector"], ["chat-user"], ["conversation"], ["approval", "feedback", "purge"]],
  "lib/webhooks": [["webhook"], ["registration"], ["delivery"]],
  infra: [
    ["shell", "dependencies", "packages", "patterns"],
    ["settings"],
    ["functions"],
    ["api", "console", "generate", "openapi", "operations"],
    ["build"],
    ["constructs"],
    ["stacks"],
    ["local"],
    ["deployed"],
    ["bootstrap", "sam", "smoke", "tenant"],
    ["commands"],
    ["app.ts"],
  ],
  "console/src": [
    ["session"],
    ["shared"],
    ["approval-queries"],
    ["agent-queries", "asset-queries", "flow-graph"],
    ["shell"],
    ["api-keys", "connectors", "datasets", "integrations", "members", "models", "skills"],
    ["access-requests", "approvals", "executions", "guardrails", "templates", "webhooks"],
    ["conversations", "docs", "knowledge", "usage"],
    ["experiments", "start"],
    ["agents"],
    ["app"],
    ["main.tsx"],
  ],
};

/**
 * The files in folders of lib/executions that others import: all but `outside` by its other folders, all but `inside` by other
 * areas. The other files are imported by their own folder alone.
 */
const executionFiles: Readonly<
  Record<string, Readonly<Record<"inside" | "both" | "outside", readonly string[]>>>
> = {
  record: {
    inside: ["inline-values", "input-store", "trace-id"],
    both: ["execution-record", "keys", "results", "store", "values", "waiting-store"],
    outside: [],
  },
  checkpoints: {
    inside: ["checkpoint-store"],
    both: ["event-wait-store", "wait-store"],
    outside: [],
  },
  approvals: {
    inside: [],
    both: ["approval-store", "cancel-approvals"],
    outside: [],
  },
  read: {
    inside: [],
    both: ["read-spans"],
    outside: ["list-executions", "list-tenant-executions", "read-execution", "watch-execution"],
  },
  session: {
    inside: [
      "load-session",
      "occupy-session",
      "release-session",
      "session-item",
      "session-store",
      "turn-messages",
      "turn-store",
    ],
    both: ["keys", "persons"],
    outside: ["delete-session", "erase-person", "read-sessions", "schemas"],
  },
  job: {
    inside: ["load-job", "masks", "stored-outcome"],
    both: ["job"],
    outside: [],
  },
  guard: {
    inside: ["guard-input", "guard-result"],
    both: [],
    outside: [],
  },
  lease: {
    inside: ["queued-batch", "to-waiting"],
    both: ["execution-lease", "list-open"],
    outside: [],
  },
  purge: { inside: [], both: ["purge-executions"], outside: ["purge-late-executions"] },
  end: {
    inside: ["abandon-execution", "end-execution", "end-store", "join-ends", "settle-execution"],
    both: [],
    outside: [],
  },
  hooks: { inside: [], both: ["wait-events"], outside: ["end-hooks", "end-messages"] },
  start: {
    inside: ["new-record"],
    both: ["plan-start", "queue-executions", "start-execution"],
    outside: ["create-executions", "start-triggered"],
  },
  wait: {
    inside: ["begin-wait", "callback-address", "open-waits", "send-wake"],
    both: [],
    outside: ["end-wait", "wake-execution"],
  },
  run: {
    inside: [],
    both: ["run-context", "run-execution"],
    outside: ["execute-agent", "run-together"],
  },
  otlp: { inside: [], both: [], outside: ["build-otlp-trace"] },
  recover: {
    inside: [],
    both: [],
    outside: ["cancel-execution", "continue-executions", "recover-executions"],
  },
};

/** Names that a file of lib/executions, but for the schemas of rows and the keys of items, may export to others. */
const maxOffered = 12;

/** The one recursion: the step inside a ForEach runs as any other step does. */
const recursion = ["run-attempt", "run-items", "run-step"].map(
  (name) => `lib/engine/flow/${name}.ts`,
);

const git = (...options: string[]) =>
  execFileSync("git", options, { encoding: "utf8" }).split("\n").filter(existsSync);
const sources = git(
  "ls-files",
  "--cached",
  "--others",
  "--exclude-standard",
  "*.ts",
  "*.tsx",
).filter((file) => !file.startsWith("test/") && !file.includes(".test."));

type ParsedModule = ReturnType<typeof parseSync>["module"];
const parsed = new Map<string, ParsedModule>();

/** Parses the imports and exports of a file, once for all tests. */
const parseModule = (file: string, source = readFileSync(file, "utf8")): ParsedModule => {
  const module = parsed.get(file) ?? parseSync(file, source).module;
  parsed.set(file, module);
  return module;
};

/** Files that a file imports, its types included, and those that it names by `new URL`. */
const findImports = (file: string): string[] => {
  const source = readFileSync(file, "utf8");
  const module = parseModule(file, source);
  const specifiers = [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...module.staticExports.flatMap(({ entries }) =>
      entries.map(({ moduleRequest }) => moduleRequest?.value ?? ""),
    ),
    ...module.dynamicImports.map(({ moduleRequest: { start, end } }) =>
      source.slice(start + 1, end - 1),
    ),
    ...[...source.matchAll(/new URL\(\s*"(\.[^"]+\.ts)"/g)].map(([, path = ""]) => path),
  ];
  const paths = specifiers
    .filter((specifier) => specifier.startsWith("."))
    .map((specifier) => posix.join(posix.dirname(file), specifier));
  return [...new Set(paths)];
};

const imports = new Map(sources.map((file) => [file, findImports(file)]));

/** The folder of the floors that a file belongs to, the longest that fits. */
const findFolder = (file: string): { folder: string; floor: number } | undefined =>
  floors
    .flatMap((folders, floor) => folders.map((folder) => ({ folder, floor })))
    .filter(({ folder }) => file.startsWith(`${folder}/`))
    .sort((left, right) => right.folder.length - left.folder.length)[0];

/** The folder of an area with floors that a file belongs to; its floor is -1 for files of the area itself. */
const findInnerFolder = (
  file: string,
): { area: string; folder: string; floor: number } | undefined => {
  const area = Object.keys(innerFloors).find((name) => file.startsWith(`${name}/`));
  if (area === undefined) return undefined;
  const [folder = "", ...rest] = file.slice(area.length + 1).split("/");
  const floor = (innerFloors[area] ?? []).findIndex((folders) => folders.includes(folder));
  if (floor < 0 && rest.length === 0) return { area, folder: "", floor };
  if (floor < 0) throw new Error(`${area}/${folder} is on no floor`);
  return { area, folder, floor };
};

test("every file of lib is on a floor", () => {
  const files = sources.filter((file) => file.startsWith("lib/"));
  expect(files.filter((file) => !findFolder(file))).toEqual([]);
});

test("no file imports from a floor above its own, or from another folder of its floor in lib", () => {
  const wrong = [...imports].flatMap(([from, files]) =>
    files.flatMap((to) => {
      const [own, other] = [findFolder(from), findFolder(to)];
      if (!own || !other || other.floor < own.floor || other.folder === own.folder) return [];
      const isSideways = other.floor === own.floor && !own.folder.startsWith("lib/");
      return isSideways ? [] : [`${from} imports ${to}`];
    }),
  );
  expect(wrong).toEqual([]);
});

test("inside an area no folder imports a folder above its own, or another one of its floor", () => {
  const wrong = [...imports].flatMap(([from, files]) =>
    files.flatMap((to) => {
      const [own, other] = [findInnerFolder(from), findInnerFolder(to)];
      if (!own || own.area !== other?.area || own.folder === other.folder) return [];
      return other.floor < own.floor ? [] : [`${from} imports ${to}`];
    }),
  );
  expect(wrong).toEqual([]);
});

const isExecutions = (file: string): boolean => file.startsWith("lib/executions/");

test("folders of lib/executions import named files of each other, and other areas fewer", () => {
  const wrong = [...imports].flatMap(([from, files]) =>
    files.filter(isExecutions).flatMap((to) => {
      const [, , folder = "", name] = to.replace(/\.ts$/, "").split("/");
      if (name === undefined || posix.dirname(from) === posix.dirname(to)) return [];
      const { inside = [], both = [], outside = [] } = executionFiles[folder] ?? {};
      const offered = [...both, ...(isExecutions(from) ? inside : outside)];
      return offered.includes(name) ? [] : [`${from} imports ${to}`];
    }),
  );
  expect(wrong).toEqual([]);
});

test("no file of lib/executions exports what another one declares", () => {
  const wrong = sources.filter(isExecutions).filter((file) => {
    const module = parseModule(file);
    return module.staticExports.some(({ entries }) => entries.some((entry) => entry.moduleRequest));
  });
  expect(wrong).toEqual([]);
});

test(`a file of lib/executions offers at most ${maxOffered} names to others`, () => {
  const offered = new Map<string, Set<string>>();
  for (const file of sources) {
    const module = parseModule(file);
    for (const { moduleRequest, entries } of module.staticImports) {
      const to = posix.join(posix.dirname(file), moduleRequest.value);
      if (!isExecutions(to) || posix.dirname(to) === posix.dirname(file)) continue;
      const names = offered.get(to) ?? new Set();
      for (const { importName } of entries) if (importName.name) names.add(importName.name);
      offered.set(to, names);
    }
  }
  const files = [...offered].filter(
    ([file, names]) => !/\/(keys|schemas)\.ts$/.test(file) && names.size > maxOffered,
  );
  expect(files).toEqual([]);
});

/** Files that a file reaches by imports of values, directly or through others. */
const findReached = (file: string, found = new Set<string>()): ReadonlySet<string> => {
  if (found.has(file) || !existsSync(file)) return found;
  found.add(file);
  const module = parseModule(file);
  for (const { moduleRequest, entries } of module.staticImports) {
    const isOfTypes = entries.length > 0 && entries.every(({ isType }) => isType);
    if (isOfTypes || !moduleRequest.value.startsWith(".")) continue;
    findReached(posix.join(posix.dirname(file), moduleRequest.value), found);
  }
  return found;
};

/** Files for what an agent may use beyond steps, models and tools: a reader of an execution without it does not open them. */
const capabilities: Readonly<Record<string, { files: RegExp; most: number }>> = {
  waits: {
    files:
      /\/(wait\/|approvals\/|checkpoints\/(event-)?wait-store|hooks\/wait-events|lease\/to-waiting|record\/waiting-store|run\/wait-for)/,
    most: 13,
  },
  sessions: { files: /\/(session\/|run\/await-turn)/, most: 10 },
  guardrails: { files: /\/(guard\/|run\/open-run-guard|record\/input-store)/, most: 4 },
  scores: { files: /\/scores\.ts$/, most: 1 },
};

test("a reader of :execute opens at most 40 files of lib/executions and lib/spending, and at most 13 for a capability", () => {
  const reached = [...findReached("functions/executions/execute-agent.ts")];
  const own = reached.filter((file) => /^lib\/(executions|spending)\//.test(file));
  const ofCapabilities = Object.entries(capabilities).map(([name, { files, most }]) => {
    const found = own.filter((file) => files.test(file));
    expect(found.length, name).toBeGreaterThan(0);
    expect(found.length, name).toBeLessThanOrEqual(most);
    return found;
  });
  const core = own.filter((file) => !ofCapabilities.flat().includes(file));
  expect(core.length).toBeGreaterThan(20);
  expect(core.length).toBeLessThanOrEqual(40);
});

test("the end of an execution receives the writes of others as data, and imports none of them", () => {
  const files = [...imports].filter(([from]) => from.startsWith("lib/executions/end/"));
  expect(files).not.toEqual([]);
  const others = /^lib\/(spending|notifications|evaluation|executions\/hooks)\//;
  expect(files.flatMap(([, to]) => to.filter((file) => others.test(file)))).toEqual([]);
});

test("no file of lib takes the function's connection to the table: functions/deps and handlers hand it on", () => {
  const callers = sources.filter((file) => {
    if (!/^lib\/.*(?<!\.test)\.ts$/.test(file)) return false;
    const module = parseModule(file);
    return module.staticImports.some(
      ({ moduleRequest, entries }) =>
        moduleRequest.value.endsWith("/database.ts") &&
        entries.some(({ importName }) => importName.name === "database"),
    );
  });
  expect(callers).toEqual([]);
});

test("only lib/tenancy/api-key reads and writes the items of API keys' hashes", () => {
  const named = sources
    .filter((file) => /^(lib|functions)\//.test(file))
    .filter((file) => /\bkeyHashKey\b|`KEYHASH/.test(readFileSync(file, "utf8")));
  expect(named.filter((file) => !file.startsWith("lib/tenancy/api-key/"))).toEqual([]);
});

test("a vendor's folder is imported by the registries alone", () => {
  const isVendor = (file: string) => vendors.some((id) => file.startsWith(`lib/vendors/${id}/`));
  const wrong = [...imports].flatMap(([from, files]) =>
    files
      .filter((to) => isVendor(to) && posix.dirname(from) !== posix.dirname(to))
      .map((to) => `${from} imports ${to}`),
  );
  expect(wrong.filter((found) => !found.startsWith("lib/vendors/registry/"))).toEqual([]);
});

test("the console imports no folder of lib but those that its cached build is hashed by", () => {
  const files = git("ls-files", "--cached", "--others", "--exclude-standard", "console/src");
  const modules = files
    .filter((file) => /\.tsx?$/.test(file))
    .flatMap(findImports)
    .filter((file) => file.startsWith("lib/"));
  expect(modules).not.toEqual([]);
  const isHashed = (file: string) =>
    consoleModules.some((consoleModule) => file.startsWith(`${consoleModule}/`));
  expect(modules.filter((file) => !isHashed(file))).toEqual([]);
});

test("no files import each other in a circle, except for the recursion of ForEach", () => {
  expect(findCycles(imports)).toEqual([recursion]);
});

/** Finds the groups of files that reach each other (Tarjan's strongly connected components). */
const findCycles = (graph: ReadonlyMap<string, readonly string[]>): string[][] => {
  const indices = new Map<string, number>();
  const stack: string[] = [];
  const circles: string[][] = [];
  const visit = (file: string): number => {
    const index = indices.size;
    indices.set(file, index);
    let low = index;
    stack.push(file);
    for (const next of graph.get(file) ?? []) {
      if (!graph.has(next)) continue;
      if (!indices.has(next)) low = Math.min(low, visit(next));
      else if (stack.includes(next)) low = Math.min(low, indices.get(next) ?? low);
    }
    if (low === index) {
      const group = stack.splice(stack.indexOf(file));
      if (group.length > 1) circles.push(group.sort());
    }
    return low;
  };
  for (const file of graph.keys()) if (!indices.has(file)) visit(file);
  return circles;
};
