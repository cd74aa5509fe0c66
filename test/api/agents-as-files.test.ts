import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, inject, test } from "vitest";
import * as z from "zod";
import { helloRevision } from "../../infra/local/seed-agents.ts";
import { newHome, type Run, runWharf } from "../cli/run-wharf.ts";
import { newOrganization } from "../harness/api.ts";

/** Scopes of a key that compares and applies files; docs/agents-as-files.md has the same. */
const applyScopes = [
  "agents:read",
  "agents:write",
  "agents:execute",
  "revisions:read",
  "revisions:write",
  "revisions:deploy",
  "skills:read",
  "skills:write",
];

/** An organization, an empty folder, and the command line with a key of those scopes. */
const setUp = async (moreScopes: readonly string[] = []) => {
  const organization = await newOrganization();
  const home = newHome();
  const key = await organization.mintKey([...applyScopes, ...moreScopes]);
  const env = {
    WHARF_URL: inject("stack").baseUrl,
    WHARF_TENANT: organization.slug,
    WHARF_API_KEY: key,
  };
  const write = (name: string, text: string): void => {
    mkdirSync(dirname(join(home, name)), { recursive: true });
    writeFileSync(join(home, name), text);
  };
  return {
    ...organization,
    /** Runs lines as a step of GitHub Actions does; returns the exit code. `npx` starts the command line. */
    runStep: async (lines: string): Promise<number | null> => {
      const script = `#!/bin/sh\nshift 2\nexec '${process.execPath}' '${commandLine}' "$@"\n`;
      write("bin/npx", script);
      chmodSync(join(home, "bin/npx"), 0o755);
      write("step.sh", lines);
      const PATH = `${join(home, "bin")}:${process.env.PATH}`;
      const options = { cwd: home, env: { ...env, PATH, HOME: home, GITHUB_SHA: "c0ffee" } };
      const step = spawn("bash", ["-e", "step.sh"], { ...options, stdio: "ignore" });
      const [code] = await once(step, "exit");
      return z.int().nullable().parse(code);
    },
    wharf: (
      args: string,
      more: Record<string, string> = {},
      interrupt = new AbortController().signal,
    ): Promise<Run> => runWharf(args.split(" "), { home, env: { ...env, ...more }, interrupt }),
    write,
    rename: (from: string, to: string): void => {
      mkdirSync(dirname(join(home, to)), { recursive: true });
      renameSync(join(home, from), join(home, to));
    },
    read: (name: string): string => readFileSync(join(home, name), "utf8"),
    edit: (name: string, from: string, to: string): void => {
      const text = readFileSync(join(home, name), "utf8");
      if (!text.includes(from)) throw new Error(`${name} has no ${from}:\n${text}`);
      write(name, text.replace(from, to));
    },
  };
};

const commandLine = join(import.meta.dirname, "../../cli/wharf.mjs");

const Agent = z.object({ latestRevision: z.int(), deployedRevision: z.int().nullable() });

test("an agent is pulled, edited, compared and applied; comments survive the next pull", async () => {
  const { wharf, read, edit, send, deployAgent } = await setUp();
  await deployAgent("greeter", helloRevision);
  expect(await wharf("agents pull greeter agents")).toMatchObject({ exitCode: 0, stdout: "" });
  expect(await wharf("agents diff agents")).toMatchObject({ exitCode: 0, stdout: "" });
  expect((await wharf("agents apply agents --yes")).stderr).toBe(
    "No differences; nothing to do.\n",
  );

  const file = "agents/greeter.agent.yaml";
  expect(read(file)).toMatch(/^# yaml-language-server: \$schema=\.\/agent\.schema\.json\n/);
  expect(JSON.parse(read("agents/agent.schema.json"))).toHaveProperty("properties.flow");
  edit(file, "displayName: greeter", "displayName: greeter # shown in the console");
  edit(file, "Hello, {% input.name %}!", "Good day, {% input.name %}!");
  const diff = await wharf("agents diff agents");
  expect(diff.exitCode).toBe(3);
  expect(diff.stdout.split("\n").filter((line) => /^[-+]/.test(line))).toEqual([
    "--- greeter, revision 1",
    `+++ ${file}`,
    "-      value: Hello, {% input.name %}!",
    "+      value: Good day, {% input.name %}!",
  ]);
  const inJson = await wharf("agents diff agents --json");
  expect(JSON.parse(inJson.stdout)).toEqual({
    items: [
      {
        kind: "agent",
        id: "greeter",
        file,
        status: "Different",
        revision: 1,
        deployedRevision: 1,
        changes: ["/flow/steps/0/value"],
        secretsNotCompared: 0,
      },
    ],
  });

  expect((await wharf("agents apply agents --deploy --dry-run")).stderr).toBe(
    "Would create revision 2 of greeter.\nWould deploy greeter.\n",
  );
  expect(await wharf("agents apply agents")).toMatchObject({ exitCode: 2 });
  expect(await wharf("agents apply agents --yes --comment Politer")).toMatchObject({
    exitCode: 0,
    stderr: "Created revision 2 of greeter.\n",
  });
  expect((await wharf("agents apply agents --deploy --yes")).stderr).toBe(
    "Deployed revision 2 of greeter.\n",
  );
  expect(Agent.parse((await send("GET", "/agents/greeter")).body)).toEqual({
    latestRevision: 2,
    deployedRevision: 2,
  });
  await wharf("agents pull greeter agents");
  expect(read(file)).toContain("displayName: greeter # shown in the console\ncomment: Politer\n");
});

test("agents are created and deployed in the order of their references, together with skills", {
  tags: "nightly",
}, async () => {
  const { wharf, write, read, send } = await setUp(["assets:read"]);
  const echo = "llmConfigs: [{ providerId: echo }]\n";
  write(
    "a-front.agent.yaml",
    `${echo}flow:\n  steps:\n    - { id: ask, type: SubAgent, agentId: Back office }\n  edges: []\n`,
  );
  write(
    "z-back.agent.yaml",
    `displayName: Back office\n${echo}flow:\n  steps:\n    - { id: say, type: Prompt, prompt: Done, skills: [manners] }\n  edges: []\n`,
  );
  write(
    "skills/manners/SKILL.md",
    "---\nname: manners\ndescription: Is polite.\nlicense: MIT\nallowed-tools: calculate Read\n---\n# Good manners\n\nSay please. See [the list](references/list.md).\n",
  );
  expect(await wharf("agents apply --deploy --yes")).toMatchObject({
    exitCode: 0,
    stderr: [
      "Created skill manners.",
      "Created agent z-back.",
      "Created agent a-front.",
      "Created revision 1 of z-back.",
      "Created revision 1 of a-front.",
      "Deployed revision 1 of z-back.",
      "Deployed revision 1 of a-front.",
      "",
    ].join("\n"),
  });
  expect((await send("GET", "/skills/manners")).body).toMatchObject({
    displayName: "Good manners",
    description: "Is polite.",
    instructions: "# Good manners\n\nSay please. See [the list](references/list.md).",
    tools: [{ integrationId: "system", id: "calculate" }],
    resources: [{ assetId: "references/list.md", description: "the list", vectorized: false }],
  });
  expect((await send("POST", "/agents/a-front:execute", { input: {} })).body).toMatchObject({
    status: "Succeeded",
  });
  expect(await wharf("agents diff")).toMatchObject({ exitCode: 0 });
  await send("PUT", "/skills/manners", { description: "Is very polite." });
  expect((await wharf("agents diff")).stdout).toContain(
    "-description: Is very polite.\n+description: Is polite.\n",
  );
  await wharf("agents pull --all .");
  expect(read("skills/manners/SKILL.md")).toContain("description: Is very polite.\nlicense: MIT\n");
});

test("agents that use each other are created first, and a refused deployment points to its file", {
  tags: "nightly",
}, async () => {
  const { wharf, write } = await setUp();
  const using = (other: string): string =>
    `flow:\n  steps:\n    - { id: ask, type: SubAgent, agentId: ${other} }\n  edges: []\n`;
  write("one.agent.yaml", using("two"));
  write("two.agent.yaml", using("one"));
  const { exitCode, stderr } = await wharf("agents apply --deploy --yes");
  expect(exitCode).toBe(1);
  expect(stderr).toContain("Created revision 1 of one.");
  expect(stderr).toContain("Created revision 1 of two.");
  expect(stderr).toMatch(/^one\.agent\.yaml:1:1: .*cycle/m);
});

test("a refusal of the API, of the schema and of the syntax points to file, line and column", {
  tags: "nightly",
}, async () => {
  const { wharf, write } = await setUp();
  const flow = (value: string) =>
    `flow:\n  steps:\n    - id: out\n      type: Output\n      value: ${value}\n  edges: []\n`;
  write("fine.agent.yaml", flow("fine"));
  write("wrong.agent.yaml", flow('"{% input.nme %}"'));
  const refused = await wharf("agents apply --deploy --yes");
  expect(refused.exitCode).toBe(1);
  expect(refused.stderr).toMatch(/^wrong\.agent\.yaml:5:\d+: \/flow\/steps\/0\/value .*nme/m);
  expect(refused.stderr).toContain("Created revision 1 of fine.");
  expect(refused.stderr).not.toContain("Deployed");

  write("wrong.agent.yaml", "displayName: 5\nusesession: true\n");
  expect((await wharf("agents diff")).stderr).toBe(
    'wrong.agent.yaml:1:1: /displayName must be a string\nwrong.agent.yaml:2:1: /usesession is not known here; did you mean "useSession"?\nwharf: 2 problems in files.\n',
  );
  write("wrong.agent.yaml", "a: 1\n b: 2\n");
  expect((await wharf("agents diff")).stderr).toMatch(/^wrong\.agent\.yaml:\d:\d: /);
});

test("secrets are read from the environment, never pulled, and kept while nothing else changes", async () => {
  const { wharf, write, read, edit, send } = await setUp();
  const connector = "0193f0a0-7c4b-7000-8000-000000000001";
  const token = ["$", "{BOT_TOKEN}"].join("");
  write(
    "bot.agent.yaml",
    `connectors:\n  - id: ${connector}\n    provider: slack\n    parameters:\n      botToken: ${token}\n`,
  );
  const missing = await wharf("agents apply --yes");
  expect(missing).toMatchObject({ exitCode: 1 });
  expect(missing.stderr).toContain(
    "bot.agent.yaml:5:17: /connectors/0/parameters/botToken needs the environment variable BOT_TOKEN",
  );
  const env = { BOT_TOKEN: "xoxb-very-secret" };
  expect(await wharf("agents apply --yes", env)).toMatchObject({ exitCode: 0 });
  const stored = await send("GET", "/agents/bot/revisions/1");
  expect(stored.text).toContain('"botToken":"********"');
  const diff = await wharf("agents diff", env);
  expect(diff).toMatchObject({ exitCode: 0, stdout: "" });
  expect(diff.stderr).toContain("1 secret is not compared");
  expect((await wharf("agents apply --yes --secrets", env)).stderr).toBe(
    "Created revision 2 of bot.\n",
  );
  await wharf("agents pull bot");
  expect(read("bot.agent.yaml")).toContain(`botToken: ${token}`);
  await wharf("agents pull bot fresh");
  expect(read("fresh/bot.agent.yaml")).toContain('botToken: "********"');
  edit("fresh/bot.agent.yaml", "provider: slack", "provider: slack\n    name: Support");
  expect(await wharf("agents apply fresh --yes")).toMatchObject({ exitCode: 0 });
  expect(`${diff.stdout}${read("fresh/bot.agent.yaml")}`).not.toContain("xoxb");
});

test("wharf dev applies and deploys on save, and prints the change and where to try it", {
  tags: "nightly",
}, async () => {
  const { wharf, write, edit, read, rename, send, slug } = await setUp();
  const file = "agents/live.agent.yaml";
  write(file, "flow:\n  steps:\n    - { id: out, type: Output, value: one }\n  edges: []\n");
  const stopping = new AbortController();
  const running = wharf("dev agents", {}, stopping.signal);
  const deployed = async () =>
    Agent.parse((await send("GET", "/agents/live")).body).deployedRevision;
  await expect.poll(() => deployed().catch(() => null)).toBe(1);
  /** Saves as editors do: a new file takes the place of the old one. */
  const save = (from: string, to: string): void => {
    edit(file, from, to);
    write(`${file}~`, read(file));
    rename(`${file}~`, file);
  };
  const words = ["one", "two", "three", "four"];
  for (const [at, word] of words.slice(1).entries()) {
    save(`value: ${words[at]}`, `value: ${word}`);
    await expect.poll(deployed).toBe(at + 2);
  }
  const instructions = async () => (await send("GET", "/skills/manners")).text;
  for (const text of ["Be kind.", "Be brief.", "Be both."]) {
    write("agents/draft.md", `---\nname: manners\ndescription: Is polite.\n---\n${text}\n`);
    rename("agents/draft.md", "agents/skills/manners/SKILL.md");
    await expect.poll(() => instructions().catch(() => "")).toContain(text);
  }
  stopping.abort();
  const { exitCode, stdout, stderr } = await running;
  expect(exitCode).toBe(0);
  expect(stdout).toContain("value: two");
  expect(stderr).toContain("Deployed revision 2 of live.");
  expect(stderr).toContain(`/console/t/${slug}/agents/live/try`);
});

const folders = (process.env.PATH ?? "").split(":");
const hasJq = folders.some((folder) => existsSync(join(folder, "jq")));

test.skipIf(!hasJq)(
  "an agent is deployed by CI only if an experiment with its latest revision reached the minimum",
  { tags: "nightly" },
  async () => {
    const { wharf, runStep, read, edit, send, deployAgent } = await setUp([
      "datasets:read",
      "datasets:write",
      "agents:test",
    ]);
    const page = readFileSync(join(import.meta.dirname, "../../docs/experiments.md"), "utf8");
    const step = /^ {2}run: \|\n(?<lines>(?: {4}.*\n)+)/m.exec(page)?.groups?.lines ?? "exit 99";
    const deployed = async () => Agent.parse((await send("GET", "/agents/desk")).body);
    await deployAgent("desk", {
      parametersMetadata: [{ name: "ticket", type: "String" }],
      flow: { steps: [{ id: "out", type: "Output", value: { team: "support" } }], edges: [] },
    });
    await send("POST", "/datasets", { id: "tickets", displayName: "Tickets" });
    const items = [
      { input: { ticket: "An invoice" }, expected: { team: "billing" } },
      { input: { ticket: "A crash" }, expected: { team: "support" } },
    ];
    await send("POST", "/datasets/tickets/examples", { items });
    const scorer = { id: "routed", displayName: "Right team", type: "Exact", path: "/team" };
    await send("POST", "/scorers", scorer);
    await wharf("agents pull desk agents");
    const file = "agents/desk.agent.yaml";

    edit(file, "team: support", "team: billing");
    expect(await wharf("agents apply agents --yes")).toMatchObject({ exitCode: 0 });
    expect(await runStep(step)).toBe(3);
    expect(await deployed()).toEqual({ latestRevision: 2, deployedRevision: 1 });
    const { id } = z.object({ id: z.string() }).parse(JSON.parse(read("experiment.json")));
    const deploy = "agents apply agents --deploy --yes";
    expect(await wharf(`${deploy} --require ${id}:routed=0.9`)).toMatchObject({
      exitCode: 3,
      stderr:
        "wharf: Revision 2 of desk fell short: routed has the mean 0.5, its minimum is 0.9.\n",
    });
    expect(await deployed()).toEqual({ latestRevision: 2, deployedRevision: 1 });
    for (const [args, exitCode, message] of [
      [`agents apply agents --yes --require ${id}:routed=0.5`, 2, "requires --deploy"],
      [`${deploy} --require ${id}`, 2, "must be experiment:scorer=mean"],
      [
        `${deploy} --require 0193f0a0-7c4b-7000-8000-000000000000:routed=1`,
        5,
        "There is no experiment",
      ],
    ] as const) {
      expect(await wharf(args)).toMatchObject({
        exitCode,
        stderr: expect.stringContaining(message),
      });
    }
    expect(await wharf(`${deploy} --require ${id}:routed=0.5`)).toMatchObject({
      exitCode: 0,
      stderr: "Deployed revision 2 of desk.\n",
    });

    edit(
      file,
      "team: billing",
      "team: \"{% $contains(input.ticket, 'invoice') ? 'billing' : 'support' %}\"",
    );
    expect(await wharf(`${deploy} --require ${id}:routed=0.5`)).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining("desk differs from its latest revision"),
    });
    expect(await wharf("agents apply agents --yes")).toMatchObject({ exitCode: 0 });
    expect(await runStep(step)).toBe(0);
    expect(await deployed()).toEqual({ latestRevision: 3, deployedRevision: 3 });
  },
);

test("members that the service completes are no difference, and tools that a config lacks are warnings", {
  tags: "nightly",
}, async () => {
  const { wharf, write, read, send, deployAgent } = await setUp([
    "assets:read",
    "tools:read",
    "integrations:read",
  ]);
  await deployAgent("helper", helloRevision);
  await send("POST", "/assets", { id: "handbook", displayName: "Handbook", type: "upload" });
  const document = JSON.stringify({
    openapi: "3.1.0",
    paths: { "/pets": { get: { operationId: "listPets" } } },
  });
  const { id } = Config.parse(
    (
      await send("POST", "/integration-configs", {
        integrationId: "openapi",
        displayName: "Pets",
        parameters: { document, baseUrl: "https://api.example.com" },
      })
    ).body,
  );
  await send("POST", `/integration-configs/${id}:publish`);
  const text = [
    "displayName: Caller",
    "subAgents:",
    "  - { id: help, agentId: helper }",
    "assets:",
    "  - { id: handbook }",
    "flow:",
    "  steps:",
    "    - { id: list, type: Tool, integrationId: openapi, toolId: listPet, configId: Pets }",
    "  edges: []",
    "",
  ].join("\n");
  write("caller.agent.yaml", text);
  const warning =
    'caller.agent.yaml:8:55: /flow/steps/0/toolId warning: the config has no tool "listPet"; did you mean "listPets"?';
  const before = await wharf("agents diff");
  expect(before.stderr).toContain("warning: the config has no tool");
  expect(await wharf("agents apply --yes")).toMatchObject({
    exitCode: 0,
    stderr: `${warning}\nCreated agent caller.\nCreated revision 1 of caller.\n`,
  });
  expect((await send("GET", "/agents/caller/revisions/1")).body).toMatchObject({
    subAgents: [{ slug: "helper", toolType: "SubAgent" }],
    assets: [{ displayName: "Handbook" }],
  });
  expect(await wharf("agents diff")).toMatchObject({ exitCode: 0, stdout: "" });
  await wharf("agents pull caller .");
  expect(read("caller.agent.yaml")).not.toMatch(/slug|displayName: Handbook/);
  write("caller.agent.yaml", text.replace("handbook", "handbok"));
  const refused = await wharf("agents apply --yes");
  expect(refused).toMatchObject({ exitCode: 1 });
  expect(refused.stderr).toContain('there is no asset "handbok"; did you mean "handbook"?');
});

const Config = z.object({ id: z.string() });
