import { afterEach, expect, test } from "vitest";
import { confluenceCloud } from "../../test/harness/source-apis/confluence-api.ts";
import { googleDriveApi } from "../../test/harness/source-apis/google-drive-api.ts";
import { jiraCloud } from "../../test/harness/source-apis/jira-api.ts";
import { notionApi, notionText } from "../../test/harness/source-apis/notion-api.ts";
import { plainContext } from "../../test/harness/source-apis/read-source.ts";
import { servingSources } from "../../test/harness/source-apis/serve.ts";
import { zendeskApi } from "../../test/harness/source-apis/zendesk-api.ts";
import { type SourceServer, startSourceServer } from "../../test/harness/source-server.ts";
import { createSource as createConfluence } from "./confluence/source.ts";
import { createSource as createGithub } from "./github/source.ts";
import { createSource as createGoogleDrive } from "./google-drive/source.ts";
import { createSource as createJira } from "./jira/source.ts";
import { createSource as createNotion } from "./notion/source.ts";
import type { SourceContext, SourceDocument } from "./source.ts";
import { createSource as createZendesk } from "./zendesk/source.ts";

const serve = servingSources();
const open: SourceServer[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});

const email = "ada@example.com";
type Read = (context: SourceContext) => AsyncIterable<SourceDocument>;

/** Each source with one changed document: what identifies it, leads to it and changes with it. */
const sources: Record<string, () => Promise<{ read: Read; expected: Partial<SourceDocument> }>> = {
  confluence: async () => {
    const page = { id: "1", title: "Home", storage: "<p>Hi</p>" };
    const more = { version: { number: 7 }, _links: { webui: "/spaces/DOCS/pages/1" } };
    const api = confluenceCloud([page]);
    const { url } = await serve((request, at) => {
      const response = api(request, at);
      if (!request.path.endsWith("/spaces/98304/pages")) return response;
      const results = [{ ...page, body: { storage: { value: page.storage } }, ...more }];
      return { body: { results, _links: {} } };
    });
    return {
      read: (context) =>
        createConfluence().read({ baseUrl: url, spaceKey: "DOCS", email, token: "token" }, context),
      expected: { id: "1", link: `${url}/wiki/spaces/DOCS/pages/1`, version: "7" },
    };
  },
  github: async () => {
    const server = await startSourceServer({ files: { "docs/a.md": "# A" } });
    open.push(server);
    const parameters = { repository: "acme/app", baseUrl: server.url, ref: "trunk" };
    return {
      read: (context) => createGithub().read(parameters, context),
      expected: { id: "docs/a.md", version: expect.stringMatching(/./) },
    };
  },
  google_drive: async () => {
    const [link, modifiedTime] = ["https://docs.google.com/d/a", "2026-11-20T12:00:00.000Z"];
    const file = { id: "a", name: "a.txt", mimeType: "text/plain", parent: "top", content: "a" };
    const { url } = await serve(
      googleDriveApi([{ ...file, ...{ webViewLink: link, modifiedTime } }]),
    );
    const client = {
      GOOGLE_CLIENT_ID: "client",
      GOOGLE_CLIENT_SECRET: "secret",
      SOURCE_URL_GOOGLE_TOKEN: `${url}/token`,
    };
    const source = createGoogleDrive({ ...client, SOURCE_URL_GOOGLE_DRIVE: url });
    return {
      read: (context) => source.read({ folderId: "top", refreshToken: "1//refresh" }, context),
      expected: { id: "a", link, version: modifiedTime },
    };
  },
  jira: async () => {
    const updated = "2026-11-20T12:00:00.000+0000";
    const { url } = await serve(jiraCloud([{ key: "ED-1", fields: { summary: "S", updated } }]));
    const parameters = { baseUrl: url, jql: "project = ED", email, token: "jira-token" };
    return {
      read: (context) => createJira().read(parameters, context),
      expected: { id: "10001", link: `${url}/browse/ED-1`, version: updated },
    };
  },
  notion: async () => {
    const link = "https://www.notion.so/p1";
    const title = { id: "title", type: "title", title: notionText("Kale") };
    const page = { object: "page", id: "p1", url: link, properties: { Name: title } };
    const { url } = await serve(notionApi({ dataSources: { ds: [page] }, blocks: { p1: [] } }));
    const parameters = { databaseId: "db", token: "ntn_token" };
    return {
      read: (context) => createNotion({ SOURCE_URL_NOTION: url }).read(parameters, context),
      // Its time of change has minutes only: without a version the text is compared.
      expected: { id: "p1", link },
    };
  },
  zendesk: async () => {
    const [html_url, updated_at] = ["https://example.zendesk.com/a/1", "2026-11-20T12:00:00Z"];
    const article = { id: 1, locale: "de", title: "Hilfe", body: "Text" };
    const { url } = await serve(zendeskApi([{ ...article, ...{ html_url, updated_at } }]));
    const parameters = { subdomain: "example", email, token: "zendesk-token" };
    return {
      read: (context) => createZendesk({ SOURCE_URL_ZENDESK: url }).read(parameters, context),
      expected: { id: "1/de", link: html_url, version: updated_at },
    };
  },
};

test.each(Object.entries(sources))(
  "%s documents have an id, a link and, if supported, a version that allows to skip their text",
  async (_, open) => {
    const { read, expected } = await open();
    const skipped: unknown[] = [];
    const [document, ...others] = await Array.fromAsync(read(plainContext()));
    expect(others).toEqual([]);
    expect(document).toMatchObject(expected);
    expect(document?.version === undefined).toBe(expected.version === undefined);
    const skip: SourceContext["skip"] = ({ id, version }) => skipped.push({ id, version }) > 0;
    for await (const document of read({ ...plainContext(), skip })) {
      expect(document).toMatchObject({ id: expected.id });
      if (expected.version !== undefined) expect(await Array.fromAsync(document.text)).toEqual([]);
    }
    if (expected.version !== undefined) {
      expect(skipped).toEqual([{ id: document?.id, version: document?.version }]);
    }
  },
);
