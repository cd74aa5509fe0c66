import { Validator } from "@cfworker/json-schema";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import type { Agent } from "../../client/openapi.ts";
import { helloRevision, triageRevision } from "../../infra/local/seed-agents.ts";
import { arbitraryRevision, arbitraryText } from "../../test/harness/arbitrary-revision.ts";
import agentSchema from "../agent.schema.json" with { type: "json" };
import { readAgent } from "./folder.ts";
import { createNames } from "./names.ts";
import { differs, planFolder, readAgentState } from "./plan.ts";
import { agentText, writtenIn } from "./render-agent.ts";
import { agentPatch } from "./show.ts";

const agent: Agent = {
  id: "agent",
  displayName: "Agent",
  description: null,
  avatarFileId: null,
  deployedRevision: null,
  latestRevision: 7,
  createdAt: 0,
  modifiedAt: 0,
};
const place = { folder: "/agents", cwd: "/agents" };

/** An API with one agent, and what the commands do with its file. */
const createFakeApi = (stored: unknown, of: Partial<Agent> = {}, environment = {}) => {
  const remote = {
    findAgent: async (id: string) => (id === "agent" ? { ...agent, ...of } : undefined),
    getRevision: async () => stored,
    findSkill: async () => undefined,
    listNamed: async () => [],
  };
  const read = (text: string) => readAgent(place, "/agents/agent.agent.yaml", text, environment);
  return {
    pull: async (text?: string) => {
      const state = await readAgentState(remote, "agent");
      if (!state) throw new Error("there is no agent");
      const names = createNames(remote, {});
      const local = text === undefined ? undefined : read(text).agent;
      const written = local ? await writtenIn(local, names) : new Map();
      return agentText(state, { name: "agent", local }, { environment, names, written });
    },
    plan: async (text: string) => {
      const { agent: local, problems } = read(text);
      const plan = await planFolder(remote, { agents: local ? [local] : [], skills: [], problems });
      if (!plan.agents[0]) throw new Error("there is no plan");
      return plan.agents[0];
    },
  };
};

test("a pulled file has every revision without loss, and a second pull changes nothing", {
  tags: "nightly",
}, async () => {
  await fc.assert(
    fc.asyncProperty(
      arbitraryRevision,
      // A name with characters that ids cannot have; a file refers to an agent by it.
      arbitraryText.map((text) => `Agent ${text}`.slice(0, 200)),
      fc.option(arbitraryText),
      async (stored, displayName, description) => {
        const api = createFakeApi(stored, { displayName, description });
        const file = await api.pull();
        const plan = await api.plan(file);
        expect(differs(plan)).toBe(false);
        expect(plan.content).toEqual(plan.stored?.content);
        expect(plan.comment).toBe(stored.comment);
        expect(await api.pull(file)).toBe(file);
      },
    ),
    { numRuns: 50 },
  );
});

test("a quoted text of several lines, one of them a space, is pulled without loss", async () => {
  const comment = " {% $uppercase(input.name) & '\n' %}a\n \na\u007f";
  const parts = { agentId: "agent", agentRevision: 7, connectors: [], jobPolicyConfigs: [] };
  const api = createFakeApi({ ...parts, comment, flow: { steps: [], edges: [] } });
  expect((await api.plan(await api.pull())).comment).toBe(comment);
});

describe.each([
  ["hello", helloRevision],
  ["triage", triageRevision],
])("the demonstration's agent %s", (_, content) => {
  const parts = { agentId: "agent", agentRevision: 7, connectors: [], jobPolicyConfigs: [] };
  const api = createFakeApi({ ...parts, ...content });
  const schema = new Validator(JSON.parse(JSON.stringify(agentSchema)), "7");
  const isValid = (text: string): boolean => schema.validate(parse(text)).valid;

  test("is pulled without loss", async () => {
    expect(differs(await api.plan(await api.pull()))).toBe(false);
  });

  test("fits agent.schema.json, which refuses unknown members also of steps", async () => {
    const text = await api.pull();
    expect(isValid(text)).toBe(true);
    expect(isValid(text.replace("displayName:", "dispalyName:"))).toBe(false);
    expect(isValid(text.replace("type: Output", "type: Output\n      vlaue: 1"))).toBe(false);
    expect(isValid(text.replace("type: Output", "type: Ouptut"))).toBe(false);
    expect(isValid(text.replaceAll("prompt:", "promt:"))).toBe(false);
  });
});

test("inputs of the type File and files of a Prompt are pulled without loss, and fit agent.schema.json", async () => {
  const file = { type: "File", accept: ["image/*", "application/pdf"], maxBytes: 1_000 };
  const parametersMetadata = [
    { name: "photo", ...file, required: true },
    { name: "papers", type: "File", multiple: true },
    // As the API completes it.
    { name: "scan", type: "File", accept: null, maxBytes: null, multiple: null },
  ];
  const parts = { agentId: "agent", agentRevision: 7, connectors: [], jobPolicyConfigs: [] };
  const files = ["{% input.photo %}", "{% input.papers %}"];
  const steps = [{ id: "ask", type: "Prompt", prompt: "Describe the files.", files }];
  const api = createFakeApi({ ...parts, parametersMetadata, flow: { steps, edges: [] } });
  const text = await api.pull();
  const [photo, papers] = parse(text).parametersMetadata;
  expect(photo).toEqual({ name: "photo", ...file, required: true });
  expect(papers).toEqual({ name: "papers", type: "File", multiple: true });
  expect(parse(text).flow.steps[0].files).toEqual(files);
  expect(differs(await api.plan(text))).toBe(false);
  const schema = new Validator(JSON.parse(JSON.stringify(agentSchema)), "7");
  expect(schema.validate(parse(text)).valid).toBe(true);
  expect(schema.validate(parse(text.replace("maxBytes:", "maxByte:"))).valid).toBe(false);
});

test("a diff shows what differs, not how compact the file is written", async () => {
  const steps = [
    { id: "ask", type: "Prompt", prompt: "One" },
    { id: "out", type: "Output", value: [1, 2] },
  ];
  const content = { comment: null, connectors: [], jobPolicyConfigs: [] };
  const flow = { steps, edges: [{ source: "ask", target: "out" }] };
  const api = createFakeApi({ agentId: "agent", agentRevision: 7, ...content, flow });
  const text = [
    "displayName:   Agent",
    "flow:",
    "    steps:",
    "    - {id: ask,type: Prompt,prompt: One}",
    "    - {id: out,type: Output,value: [1,2]}",
    "    edges: [{source: ask,target: out}]",
    "",
  ].join("\n");
  expect(agentPatch(await api.plan(text), {})).toBe("");
  const changed = async (from: string, to: string): Promise<string[]> =>
    agentPatch(await api.plan(text.replace(from, to)), {})
      .split("\n")
      .filter((line) => /^[-+] /.test(line));
  expect(await changed("value: [1,2]", "value: [1, 3]")).toEqual([
    "-    - { id: out, type: Output, value: [ 1, 2 ] }",
    "+    - {id: out,type: Output,value: [1, 3]}",
  ]);
  expect(await changed("One", "Two")).toEqual([
    "-    - { id: ask, type: Prompt, prompt: One }",
    "+    - {id: ask,type: Prompt,prompt: Two}",
  ]);
});
