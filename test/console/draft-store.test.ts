import "fake-indexeddb/auto";
import { expect, test } from "vitest";
import { restoreSecrets, withoutSecrets } from "../../console/src/agents/flow/draft-secrets.ts";
import {
  clearDrafts,
  type DraftKey,
  listOtherDrafts,
  readDrafts,
  writeDrafts,
} from "../../console/src/session/draft-store.ts";

const key: DraftKey = { user: "ada", tenant: "demo", agent: "planner", revision: 1 };
const stored = (savedAt: number) => ({ savedAt, draft: { comment: `of ${savedAt}` } });

test("a draft is that of one user, tenant, agent and revision", async () => {
  await writeDrafts(key, [stored(1)]);
  for (const other of [
    { ...key, user: "grace" },
    { ...key, tenant: "acme" },
    { ...key, agent: "triage" },
    { ...key, revision: 2 },
    { ...key, revision: null },
  ]) {
    await expect(readDrafts(other)).resolves.toEqual([]);
  }
  await expect(readDrafts(key)).resolves.toEqual([stored(1)]);
  await expect(listOtherDrafts({ ...key, revision: 2 })).resolves.toEqual([1]);
  await expect(listOtherDrafts({ ...key, tenant: "acme" })).resolves.toEqual([]);
  await writeDrafts(key, []);
  await expect(readDrafts(key)).resolves.toEqual([]);
  await expect(listOtherDrafts({ ...key, revision: 2 })).resolves.toEqual([]);
});

test("a sign-out removes the drafts of its user alone, and those that the page stores as it closes", async () => {
  await writeDrafts(key, [stored(1)]);
  await writeDrafts({ ...key, tenant: "acme", revision: null }, [stored(2)]);
  await writeDrafts({ ...key, user: "grace" }, [stored(3)]);
  await clearDrafts("ada");
  await expect(readDrafts(key)).resolves.toEqual([]);
  await expect(readDrafts({ ...key, tenant: "acme", revision: null })).resolves.toEqual([]);
  await expect(readDrafts({ ...key, user: "grace" })).resolves.toEqual([stored(3)]);
  await writeDrafts(key, [stored(4)]);
  await expect(readDrafts(key)).resolves.toEqual([]);
});

const revision = {
  parametersMetadata: [
    { name: "key", secret: true, defaultValue: "********" },
    { name: "city", defaultValue: "Bern" },
  ],
  subAgents: [
    { id: "a", parametersMetadata: [{ name: "pin", secret: true, defaultValue: "1234" }] },
  ],
  integrationConfigs: [{ id: "mail", auth: { type: "ApiKey", parameters: { key: "s3cret" } } }],
  connectors: [{ id: "chat", name: "Chat", parameters: { botToken: "********", channel: "C1" } }],
  flow: {
    steps: [
      { id: "call", type: "Tool", parameters: { apiKey: "sk-typed", token: "{% input.key %}" } },
      { id: "ask", type: "Prompt", llm: { parameters: { maxOutputTokens: 10 } } },
    ],
    edges: [],
  },
};

test("no secret and no mask of one is stored; everything else is", () => {
  const text = JSON.stringify(withoutSecrets(revision));
  for (const secret of ["********", "1234", "s3cret", "sk-typed"]) {
    expect(text).not.toContain(secret);
  }
  for (const kept of ["Bern", "{% input.key %}", "maxOutputTokens", '"id":"chat"']) {
    expect(text).toContain(kept);
  }
});

test("a restored draft has the secrets of its revision again, also after its lists were reordered", () => {
  expect(restoreSecrets(revision, withoutSecrets(revision))).toEqual(revision);
  const { flow, ...others } = revision;
  const changed = {
    ...others,
    parametersMetadata: [{ name: "added" }, ...revision.parametersMetadata.toReversed()],
    flow: { ...flow, steps: flow.steps.toReversed() },
  };
  expect(restoreSecrets(revision, withoutSecrets(changed))).toEqual(changed);
  expect(restoreSecrets({}, withoutSecrets(revision))).toEqual(withoutSecrets(revision));
});
