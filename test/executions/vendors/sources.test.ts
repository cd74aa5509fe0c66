import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { AssetEstimate } from "../../../lib/knowledge/sources/schemas.ts";
import { expectProblem, newOrganization } from "../../harness/api.ts";
import { sourceText } from "../../harness/source-apis/configured-sources.ts";
import { confluenceCloud } from "../../harness/source-apis/confluence-api.ts";
import { jiraCloud } from "../../harness/source-apis/jira-api.ts";
import {
  failNext,
  faultsLeft,
  type SourceServer,
  startSourceServer,
} from "../../harness/source-apis/source-server.ts";
import { startSourceServer as startGitHub } from "../../harness/source-server.ts";

type Organization = Awaited<ReturnType<typeof newOrganization>>;

const types = ["jira", "zendesk", "notion", "google_drive", "confluence", "github"] as const;
type SourceKey = (typeof types)[number];

/** A stand-in, valid parameters for it, and the name of the credential. */
type Vendor = {
  parameters: Record<string, string>;
  credential: string;
  throttleOnce: (headers: Record<string, string>) => Promise<void>;
  throttlesLeft: () => Promise<number>;
};

let own: Organization;
let vendors: Record<SourceKey, Vendor>;
const servers: Pick<SourceServer, "close">[] = [];

const overHttp = (url: string): Pick<Vendor, "throttleOnce" | "throttlesLeft"> => ({
  throttleOnce: (headers) => failNext(url, { status: 429, headers }),
  throttlesLeft: () => faultsLeft(url),
});

beforeAll(async () => {
  own = await newOrganization();
  await own.deployAgent("hello", {});
  const urls = inject("sources");
  const jira = await startSourceServer(
    jiraCloud([{ key: "DOCS-1", fields: { summary: sourceText, description: null } }]),
  );
  const confluence = await startSourceServer(
    confluenceCloud([{ id: "1", title: "Guide", storage: `<p>${sourceText}</p>` }]),
  );
  const github = await startGitHub({ files: { "README.md": sourceText }, token: "github-token" });
  servers.push(jira, confluence, github);
  let throttled = 0;
  vendors = {
    jira: {
      parameters: {
        baseUrl: jira.url,
        jql: "project = DOCS",
        email: "ada@example.com",
        token: "jira-token",
      },
      credential: "token",
      ...overHttp(jira.url),
    },
    zendesk: {
      parameters: { subdomain: "example", email: "ada@example.com", token: "zendesk-token" },
      credential: "token",
      ...overHttp(urls.zendesk),
    },
    notion: {
      parameters: { databaseId: "db", token: "ntn_token" },
      credential: "token",
      ...overHttp(urls.notion),
    },
    google_drive: {
      parameters: { folderId: "a-folder", refreshToken: "1//refresh" },
      credential: "refreshToken",
      ...overHttp(urls.googleDrive),
    },
    confluence: {
      parameters: {
        baseUrl: confluence.url,
        spaceKey: "DOCS",
        email: "ada@example.com",
        token: "token",
      },
      credential: "token",
      ...overHttp(confluence.url),
    },
    github: {
      parameters: { baseUrl: github.url, repository: "acme/app", token: "github-token" },
      credential: "token",
      throttleOnce: async (headers) => {
        throttled = github.requests.length;
        github.failNext({ status: 429, headers });
      },
      throttlesLeft: async () => (github.requests.length > throttled ? 0 : 1),
    },
  };
});
afterAll(async () => {
  for (const server of servers) await server.close();
});

const estimate = (type: SourceKey, parameters: Record<string, string>) =>
  own.try("POST", "/agents/hello/assets:estimate", { body: { type, parameters } });

/** The stand-ins have one document. */
const oneDocument = { documentCount: 1, chunkCount: 1, documents: [{ chunkCount: 1 }] };

describe.concurrent.each(types)("a %s source, read by the built functions", (type) => {
  test("is counted; wrong credentials are the source's 401; throttling is waited for", async () => {
    const { parameters, credential, throttleOnce, throttlesLeft } = vendors[type];
    const counted = await estimate(type, parameters);
    expect(counted.status, counted.text).toBe(200);
    expect(counted.body).toMatchObject(oneDocument);

    const refused = await estimate(type, { ...parameters, [credential]: "a-wrong-credential" });
    expect(refused.status, refused.text).toBe(502);
    expect(expectProblem(refused)).toMatchObject({ slug: "upstream-failed", upstreamStatus: 401 });
    expect(refused.text).not.toContain("a-wrong-credential");

    await throttleOnce({ "retry-after": "1" });
    const waited = await estimate(type, parameters);
    expect(waited.text).toBe(counted.text);
    expect(await throttlesLeft()).toBe(0);
  });
});

test.concurrent.each([
  ["jira", "jira-estimate"],
  ["zendesk", "zendesk-estimate"],
  ["notion", "notion-estimate"],
  ["google_drive", "google-drive-estimate"],
] as const)(
  "a %s source has an endpoint that responds as declared",
  { tags: "nightly" },
  async (type, verb) => {
    const { parameters } = vendors[type];
    const counted = await own.try("POST", `/agents/hello/assets:${verb}`, { body: parameters });
    expect(counted.status, counted.text).toBe(200);
    expect(counted.body).toMatchObject(oneDocument);
    expect(AssetEstimate.parse(counted.body)).toEqual(counted.body);
  },
);
