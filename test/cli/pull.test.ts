import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newHome, type Run, runWharf } from "./run-wharf.ts";
import { json, page, problem, type StandIn, startStandIn } from "./stand-in.ts";

/** A hostile or compromised server: it returns `agents` and `skills` for every request. */
let api: StandIn;
let agents: readonly object[] = [];
let skills: readonly string[] = [];

const buildAgent = (id: string, members: Record<string, unknown> = {}) => ({
  id,
  displayName: "An agent",
  description: null,
  avatarFileId: null,
  deployedRevision: null,
  latestRevision: 1,
  createdAt: 0,
  modifiedAt: 0,
  ...members,
});

const skill = {
  displayName: "A skill",
  description: "Is described.",
  instructions: "#!/bin/sh",
  tools: [],
  resources: [],
};

const steps = () => [{ id: "ask", type: "Prompt", prompt: "Hi", skills }];

beforeAll(async () => {
  api = await startStandIn((arrived, response) => {
    const { pathname } = arrived.url;
    if (pathname.endsWith("/agents")) return page(response, arrived, agents);
    if (pathname.includes("/skills/")) return json(response, { id: "any", ...skill });
    if (pathname.endsWith("/revisions/1")) {
      const content = { comment: null, connectors: [], jobPolicyConfigs: [] };
      const flow = { steps: steps(), edges: [] };
      return json(response, { agentId: "a", agentRevision: 1, ...content, flow });
    }
    if (pathname.includes("/agents/")) return json(response, agents[0]);
    return problem(response, 404, "not-found");
  });
});
afterAll(() => api.close());

/** A folder `home/work/agents` below a home in which nothing else may appear. */
const newFolder = () => {
  const home = newHome();
  const folder = join(home, "work", "agents");
  mkdirSync(folder, { recursive: true });
  return {
    home,
    folder,
    pull: (...args: string[]): Promise<Run> =>
      runWharf(["agents", "pull", ...args], {
        home,
        env: { WHARF_URL: api.url, WHARF_TENANT: "demo", WHARF_TOKEN: "a-token" },
      }),
    files: (): string[] =>
      readdirSync(home, { recursive: true, encoding: "utf8" })
        .filter((name) => !["work", "work/agents"].includes(name))
        .sort(),
  };
};

describe("wharf agents pull writes nothing outside its folder", () => {
  test.each([
    "../../pwned",
    "../pwned",
    "/tmp/pwned",
    "a/b",
    "..",
    "a\\b",
    ".hidden",
    "a\u0000b",
    "",
  ])("for an agent that the API names %j", async (id) => {
    agents = [buildAgent(id)];
    skills = [];
    for (const args of [
      ["--all", "work/agents"],
      ["greeter", "work/agents"],
    ]) {
      const { pull, files } = newFolder();
      expect(await pull(...args)).toMatchObject({ exitCode: 1 });
      expect(files()).toEqual([]);
    }
  });

  test.each(["../../pwned", "../../../pwned", "/tmp/pwned", "..", "."])(
    "for a skill that a revision names %j",
    async (id) => {
      api.requests.length = 0;
      agents = [buildAgent("greeter")];
      skills = [id];
      const { pull, files } = newFolder();
      const run = await pull("greeter", "work/agents");
      expect(run).toMatchObject({ exitCode: 1 });
      expect(run.stderr).toContain(`named the skill ${JSON.stringify(id)}`);
      expect(files()).toEqual(["work/agents/greeter.agent.yaml"]);
      expect(api.requests.some(({ url }) => url.pathname.includes("/skills"))).toBe(false);
    },
  );

  test.each([
    ["an agent's file", "greeter.agent.yaml", "displayName: Mine\n"],
    ["the schema's file", "agent.schema.json", "{}"],
    ["the folder of skills", "skills", undefined],
    ["a skill's folder", "skills/manners", undefined],
    ["a skill's file", "skills/manners/SKILL.md", "---\nname: manners\ndescription: Mine.\n---\n"],
  ])("through a symbolic link in place of %s", async (_, link, text) => {
    agents = [buildAgent("greeter")];
    skills = ["manners"];
    const { home, folder, pull } = newFolder();
    const outside = join(home, "outside");
    if (text === undefined) mkdirSync(outside);
    else writeFileSync(outside, text);
    mkdirSync(dirname(join(folder, link)), { recursive: true });
    symlinkSync(outside, join(folder, link));
    const run = await pull("greeter", "work/agents");
    expect(run).toMatchObject({ exitCode: 1 });
    expect(run.stderr).toContain(`${link} is a symbolic link`);
    if (text === undefined) expect(readdirSync(outside)).toEqual([]);
    else expect(readFileSync(outside, "utf8")).toBe(text);
  });
});

test("wharf agents pull does not write one agent over the file of another", async () => {
  skills = [];
  const named = buildAgent("0193f0a0-7c4b-7000-8000-000000000001", { displayName: "Greeter" });
  agents = [named, buildAgent("greeter")];
  const { folder, pull } = newFolder();
  expect(await pull("--all", "work/agents", "--json")).toMatchObject({ exitCode: 0 });
  expect(existsSync(join(folder, `${named.id}.agent.yaml`))).toBe(true);
  writeFileSync(join(folder, "other.agent.yaml"), "id: something-else\n");
  agents = [buildAgent("other")];
  const run = await pull("other", "work/agents");
  expect(run.stderr).toContain("other.agent.yaml is the file of the agent something-else");
  expect(readFileSync(join(folder, "other.agent.yaml"), "utf8")).toBe("id: something-else\n");
});
