import { expect, test } from "vitest";
import {
  confluenceCloud,
  confluenceServer,
} from "../../../test/harness/source-apis/confluence-api.ts";
import { plainContext, readAll } from "../../../test/harness/source-apis/read-source.ts";
import { servingSources } from "../../../test/harness/source-apis/serve.ts";
import { createSource } from "./source.ts";

const confluence = createSource();

const serve = servingSources();

const pages = [
  { id: "1", title: "Home", storage: "<p>Welcome&hellip;</p>" },
  {
    id: "2",
    title: "Set up",
    storage:
      '<ol><li>Install</li><li>Run</li></ol><ac:structured-macro ac:name="code"><ac:plain-text-body><![CDATA[npm start]]></ac:plain-text-body></ac:structured-macro>',
    attachments: [
      { title: "notes 1.csv", mediaType: "text/csv", text: "a,b" },
      { title: "plan.pdf", mediaType: "application/pdf", text: "%PDF" },
    ],
  },
];
const documents = [
  ["Home", "Home\n\nWelcome…"],
  ["Set up", "Set up\n\n1. Install\n2. Run\n\nnpm start"],
  ["Set up/notes 1.csv", "a,b"],
];
const parameters = (baseUrl: string) => ({
  baseUrl,
  spaceKey: "DOCS",
  email: "ada@example.com",
  token: "token",
});

test.each(["", "/", "/wiki", "/wiki/"])(
  "reads all pages of a space and their texts from Cloud at <site>%s",
  async (path) => {
    const { url } = await serve(confluenceCloud(pages));
    const all = await readAll(confluence.read(parameters(`${url}${path}`), plainContext()));
    expect(all).toEqual(documents);
  },
);

test("reads the same from Data Center, below a path", async () => {
  const { url } = await serve(confluenceServer(pages));
  const own = { baseUrl: `${url}/confluence/`, spaceKey: "DOCS", token: "pat" };
  expect(await readAll(confluence.read(own, plainContext()))).toEqual(documents);
});

test("reports a space that does not exist", async () => {
  const { url } = await serve(confluenceCloud(pages));
  const wrong = { ...parameters(url), spaceKey: "NOPE" };
  await expect(readAll(confluence.read(wrong, plainContext()))).rejects.toMatchObject({
    name: "UpstreamError",
    upstreamStatus: 404,
  });
});

test("reports rejected credentials", async () => {
  const { url } = await serve(confluenceCloud(pages));
  const wrong = { ...parameters(url), token: "wrong" };
  await expect(readAll(confluence.read(wrong, plainContext()))).rejects.toMatchObject({
    upstreamStatus: 401,
  });
});

test("reads only pages if the token may not read attachments", async () => {
  const cloud = confluenceCloud(pages);
  const { url } = await serve((request, at) =>
    request.path.endsWith("/attachments") ? { status: 403 } : cloud(request, at),
  );
  const all = await readAll(confluence.read(parameters(url), plainContext()));
  expect(all.map(([name]) => name)).toEqual(["Home", "Set up"]);
});

test("calls no other site that links lead to", async () => {
  const other = await serve(() => ({ body: { results: [] } }));
  const cloud = confluenceCloud(pages);
  const { url } = await serve((request, at) => {
    if (request.path.endsWith("/attachments")) {
      const attachment = { title: "a.txt", mediaType: "text/plain" };
      const links = [`${other.url}/a`, `//${new URL(other.url).host}/a`, "/\\x"];
      const results = links.map((downloadLink) => ({ ...attachment, downloadLink }));
      return { body: { results, _links: {} } };
    }
    if (!request.path.endsWith("/pages") || request.query.has("cursor")) return cloud(request, at);
    return {
      body: { results: [{ id: 1, title: "P" }], _links: { next: `${other.url}/?cursor=1` } },
    };
  });
  const all = await readAll(confluence.read(parameters(url), plainContext()));
  expect(all.filter(([, text]) => text !== "").map(([name]) => name)).toEqual(["P", "Set up"]);
  expect(other.requests).toEqual([]);
});

test("fails when a page repeats", async () => {
  const { url } = await serve(({ path }) => ({
    body: {
      results: path.endsWith("/spaces") ? [{ id: "1" }] : [],
      _links: { next: "/?cursor=a" },
    },
  }));
  await expect(readAll(confluence.read(parameters(url), plainContext()))).rejects.toThrow(
    "the same page twice",
  );
});
