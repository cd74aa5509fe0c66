import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { afterAll, beforeAll, expect, test } from "vitest";
import { expectProblem, newOrganization } from "../harness/api.ts";
import { jiraCloud } from "../harness/source-apis/jira-api.ts";
import { startSourceServer as startApi } from "../harness/source-apis/source-server.ts";
import { type SourceServer, startSourceServer } from "../harness/source-server.ts";
import { findStoredTexts } from "../harness/stored-texts.ts";

type Organization = Awaited<ReturnType<typeof newOrganization>>;

const token = "github_pat_a-token-that-must-not-be-kept";
const files = { "README.md": "# Read me\n\nSome words.\n", "src/main.ts": "run();\n" };

let own: Organization;
let server: SourceServer;

beforeAll(async () => {
  own = await newOrganization();
  server = await startSourceServer({ files, token });
  await own.deployAgent("hello", {
    assets: [
      {
        id: "guide",
        displayName: "Guide",
        contentType: "text/plain",
        link: `${server.url}/files/README.md`,
      },
    ],
  });
});
afterAll(() => server.close());

const estimate = (type: string, parameters: Record<string, string>, headers = {}) =>
  own.try("POST", "/agents/hello/assets:estimate", { body: { type, parameters }, headers });

test("a repository is read and counted, through the whole product", async () => {
  const { status, body } = await estimate("github", {
    repository: "acme/app",
    baseUrl: server.url,
    token,
  });
  const documents = Object.entries(files).map(([fileName, text]) => ({
    fileName,
    tokenCount: countTokens(text),
    chunkCount: 1,
  }));
  const tokenCount = documents.reduce((sum, document) => sum + document.tokenCount, 0);
  const estimatedCost = [{ providerId: "echo", model: "echo-1", cost: 0 }];
  expect({ status, body }).toEqual({
    status: 200,
    body: { tokenCount, chunkCount: 2, documentCount: 2, estimatedCost, documents },
  });
});

test("the assets that the agent's revision names are read by their links", async () => {
  const { body } = await estimate("wharf", {});
  const tokenCount = countTokens(files["README.md"]);
  expect(body).toMatchObject({ documents: [{ fileName: "Guide", tokenCount, chunkCount: 1 }] });
});

test("wrong credentials are 502 with the source's status, and are not quoted", async () => {
  const response = await estimate("github", {
    repository: "acme/app",
    baseUrl: server.url,
    token: "a-wrong-token",
  });
  expect(expectProblem(response)).toMatchObject({
    slug: "upstream-failed",
    upstream: new URL(server.url).host,
    upstreamStatus: 401,
  });
  expect(response.text).not.toContain("a-wrong-token");
});

test("a source that throttles for longer than a call may take is 504 with the totals so far", async () => {
  server.failNext({ status: 429, headers: { "retry-after": "3600" } });
  const response = await estimate("github", { repository: "acme/app", baseUrl: server.url, token });
  expect(expectProblem(response)).toMatchObject({
    slug: "upstream-timeout",
    tokenCount: 0,
    chunkCount: 0,
    documentCount: 0,
  });
});

test("credentials are never stored, not even for a replayed response", {
  tags: "nightly",
}, async () => {
  const once = { "Idempotency-Key": "estimate-1" };
  const parameters = { repository: "acme/app", baseUrl: server.url, token };
  const first = await estimate("github", parameters, once);
  expect(first.status, first.text).toBe(200);
  const asked = server.requests.length;
  const again = await estimate("github", parameters, once);
  expect(again.headers.get("idempotency-replayed")).toBe("true");
  expect([again.text, server.requests.length]).toEqual([first.text, asked]);
  expect(await findStoredTexts([token, own.slug])).toEqual([own.slug]);
});

test("Jira's endpoint reads the same as the generic one", async () => {
  const fields = { summary: "A summary", description: null };
  const jira = await startApi(jiraCloud([{ key: "DOCS-1", fields }]));
  const body = {
    baseUrl: jira.url,
    jql: "project = DOCS",
    email: "ada@example.com",
    token: "jira-token",
  };
  try {
    const response = await own.send("POST", "/agents/hello/assets:jira-estimate", body);
    expect(response.body).toMatchObject({ documentCount: 1 });
    expect((await estimate("jira", body)).body).toEqual(response.body);
  } finally {
    await jira.close();
  }
});

test("an asset is created and synchronized with its source, in the background", {
  tags: "nightly",
}, async () => {
  const parameters = { repository: "acme/app", baseUrl: server.url, token };
  const asset = { id: "code", displayName: "Code", type: "github", parameters };
  await own.send("POST", "/assets", asset);
  const started = await own.try("POST", "/assets/code:sync");
  expect(started).toMatchObject({ status: 202, body: { id: "code", status: "Syncing" } });
  const state = async () => (await own.send("GET", "/assets/code")).body;
  await expect
    .poll(state, { timeout: 20_000 })
    .toMatchObject({ status: "Ready", documentCount: 2, vectorized: true, error: null });
  expect(await state()).toMatchObject({ embeddedTokens: expect.any(Number), embeddingCost: 0 });
});
