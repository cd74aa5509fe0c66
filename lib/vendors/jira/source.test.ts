import { expect, test } from "vitest";
import { jiraCloud, jiraServer } from "../../../test/harness/source-apis/jira-api.ts";
import { plainContext, readAll } from "../../../test/harness/source-apis/read-source.ts";
import { servingSources } from "../../../test/harness/source-apis/serve.ts";
import { createSource } from "./source.ts";

const jira = createSource();

const serve = servingSources();

const adf = (...texts: string[]) => ({
  type: "doc",
  version: 1,
  content: texts.map((text) => ({ type: "paragraph", content: [{ type: "text", text }] })),
});
const cloudParameters = (baseUrl: string) => ({
  baseUrl,
  jql: "project = ED",
  email: "ada@example.com",
  token: "jira-token",
});

test("reads the issues of all pages with description, custom texts and comments", async () => {
  const { url, requests } = await serve(
    jiraCloud([
      {
        key: "ED-1",
        fields: {
          summary: "Main order flow broken",
          description: adf("Main order flow broken", "Since Monday."),
          customfield_10050: adf("Fixed in 2.1"),
          customfield_10051: { value: "High" },
        },
        comments: [{ id: "1", body: adf("Seen it too.") }],
      },
      { key: "ED-2", fields: { summary: "Empty", description: null } },
    ]),
  );
  expect(await readAll(jira.read(cloudParameters(`${url}/`), plainContext()))).toEqual([
    [
      "ED-1",
      "Main order flow broken\n\nMain order flow broken\n\nSince Monday.\n\nRelease notes\nFixed in 2.1\n\nSeen it too.",
    ],
    ["ED-2", "Empty"],
  ]);
  expect(requests).toHaveLength(2);
  expect(requests[0]?.query.get("jql")).toBe("project = ED");
});

test("reads all comments if a search result contains only the first ones", async () => {
  const comments = [1, 2, 3, 4, 5].map((id) => ({ id: String(id), body: adf(`Comment ${id}`) }));
  const { url } = await serve(jiraCloud([{ key: "ED-1", fields: { summary: "S" }, comments }]));
  expect(await readAll(jira.read(cloudParameters(url), plainContext()))).toEqual([
    ["ED-1", "S\n\nComment 1\n\nComment 2\n\nComment 3\n\nComment 4\n\nComment 5"],
  ]);
});

test("reads only attachments that are text", async () => {
  const attachment = [
    { id: "10000", filename: "notes.txt", mimeType: "text/plain", content: "https://x.invalid/" },
    { id: "10001", filename: "picture.png", mimeType: "image/png" },
  ];
  const issue = { key: "ED-1", fields: { summary: "S", attachment } };
  const { url, requests } = await serve(jiraCloud([issue], { 10000: "Hello, file" }));
  expect(await readAll(jira.read(cloudParameters(url), plainContext()))).toEqual([
    ["ED-1", "S"],
    ["ED-1/notes.txt", "Hello, file"],
  ]);
  expect(requests.map(({ path }) => path)).not.toContain("/rest/api/3/attachment/content/10001");
});

test("sends a long query in a body", async () => {
  const { url, requests } = await serve(jiraCloud([{ key: "ED-1", fields: { summary: "S" } }]));
  const jql = `key in (${"ED-1,".repeat(1000)}ED-1)`;
  await readAll(jira.read({ ...cloudParameters(url), jql }, plainContext()));
  expect(requests[0]).toMatchObject({ method: "POST" });
  expect(JSON.parse(requests[0]?.body ?? "")).toMatchObject({ jql });
});

test("reads Data Center, with API version 2, below a path and with rendered texts", async () => {
  const { url } = await serve(
    jiraServer([
      {
        key: "DC-1",
        fields: {
          summary: "One",
          description: "h1. Title",
          customfield_1: "*notes*",
          comment: { comments: [{ id: "1", body: "_first_" }], total: 1 },
        },
        renderedFields: {
          description: "<h1>Title</h1>",
          customfield_1: "<p><b>notes</b></p>",
          comment: { comments: [{ body: "<p><em>first</em></p>" }] },
        },
      },
      { key: "DC-2", fields: { summary: "Two", description: "plain" } },
    ]),
  );
  const parameters = { baseUrl: `${url}/jira/`, jql: "project = DC", token: "pat" };
  expect(await readAll(jira.read(parameters, plainContext()))).toEqual([
    ["DC-1", "One\n\nTitle\n\nNotes\nnotes\n\nfirst"],
    ["DC-2", "Two\n\nplain"],
  ]);
});

test.each([
  ["the same page twice", { issues: [], nextPageToken: "a" }],
  ["something else", { pages: [] }],
  ["no JSON", "<html>"],
])("fails when the site sends %s", async (_, body) => {
  const { url } = await serve(() => ({ body }));
  await expect(readAll(jira.read(cloudParameters(url), plainContext()))).rejects.toMatchObject({
    name: "UpstreamError",
    upstream: new URL(url).host,
  });
});

test("reports rejected credentials", async () => {
  const { url } = await serve(jiraCloud([]));
  const parameters = { ...cloudParameters(url), token: "wrong" };
  await expect(readAll(jira.read(parameters, plainContext()))).rejects.toMatchObject({
    upstreamStatus: 401,
  });
});

test("skips issues of an unknown shape", async () => {
  const issues = [null, 7, { key: "ED-1" }, { key: "ED-2", fields: { summary: ["no text"] } }];
  const { url } = await serve(() => ({ body: { issues, isLast: true } }));
  expect(await readAll(jira.read(cloudParameters(url), plainContext()))).toEqual([["ED-2", ""]]);
});
