import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { beforeAll, describe, expect, test, vi } from "vitest";
import * as z from "zod";
import { AssetDocumentPage } from "../../lib/knowledge/document/schemas.ts";
import { splitText } from "../../lib/knowledge/index/split-text.ts";
import { AssetEstimate } from "../../lib/knowledge/sources/schemas.ts";
import { expectProblem, newOrganization } from "../harness/api.ts";

type Organization = Awaited<ReturnType<typeof newOrganization>>;

const SourceTypes = z.array(
  z.strictObject({
    key: z.string(),
    displayName: z.string().min(1),
    parameters: z.array(
      z.strictObject({
        name: z.string(),
        displayName: z.string().min(1),
        required: z.boolean(),
        secret: z.boolean(),
        description: z.string().min(1),
      }),
    ),
  }),
);

const typed = {
  "assets:jira-estimate": ["baseUrl", "jql", "token"],
  "assets:zendesk-estimate": ["subdomain", "email", "token"],
  "assets:notion-estimate": ["databaseId", "token"],
  "assets:google-drive-estimate": ["refreshToken"],
};

let own: Organization;
beforeAll(async () => {
  own = await newOrganization();
  await own.deployAgent("hello", {});
});

const estimate = (body: unknown, agent = "hello") =>
  own.try("POST", `/agents/${agent}/assets:estimate`, { body });

describe("source types", () => {
  test("are those of the interface, with their parameters", async () => {
    const types = SourceTypes.parse((await own.send("GET", "/assets/source-types")).body);
    const described = types.map(({ key, parameters }) => {
      const marked = parameters.map(
        ({ name, required, secret }) => `${name}${required ? "*" : ""}${secret ? " (secret)" : ""}`,
      );
      return [key, marked.sort()];
    });
    expect(Object.fromEntries(described)).toMatchObject({
      jira: ["baseUrl*", "email", "jql*", "token* (secret)"],
      zendesk: ["email*", "locale", "subdomain*", "token* (secret)"],
      notion: ["databaseId*", "token* (secret)"],
      google_drive: ["fileIds", "folderId", "refreshToken* (secret)"],
      confluence: expect.arrayContaining(["baseUrl*", "token* (secret)"]),
      github: ["baseUrl", "path", "ref", "repository*", "token (secret)"],
      wharf: ["agentId", "assetIds", "revision"],
    });
  });
});

describe("the list", () => {
  const link = "https://example.com/a";
  const assets = (...ids: string[]) => ids.map((id) => ({ id, displayName: `The ${id}`, link }));
  const ids = (body: unknown) =>
    z
      .object({
        items: z.array(z.looseObject({ id: z.string() })),
        nextPageToken: z.string().nullable(),
      })
      .transform(({ items, nextPageToken }) => [items.map(({ id }) => id), nextPageToken])
      .parse(body);

  test("has the assets of all agents' revisions, page by page, until their agent is deleted", {
    tags: "nightly",
  }, async () => {
    const { send } = await newOrganization();
    for (const id of ["one", "two"]) await send("POST", "/agents", { id, displayName: id });
    await send("POST", "/agents/one/revisions", { assets: assets("c", "a") });
    await send("POST", "/agents/two/revisions", { assets: assets("b", "c") });
    const first = (await send("GET", "/assets?PageSize=2")).body;
    expect(ids(first)).toEqual([["a", "b"], "2"]);
    expect(first).toMatchObject({
      items: [
        { id: "a", displayName: "The a", vectorized: false, agentId: "one", agentRevision: 1 },
        { id: "b", agentId: "two" },
      ],
    });
    const second = (await send("GET", "/assets?PageSize=2&PageToken.Skip=2")).body;
    expect(ids(second)).toEqual([["c"], null]);
    await send("DELETE", "/agents/one");
    await expect
      .poll(async () => ids((await send("GET", "/assets")).body), { timeout: 20_000 })
      .toEqual([["b", "c"], null]);
  });
});

describe("a search", () => {
  let own: Awaited<ReturnType<typeof newOrganization>>;
  beforeAll(async () => {
    own = await newOrganization();
    for (const id of ["handbook", "prices"]) {
      await own.send("POST", "/assets", { id, displayName: id, type: "upload" });
    }
    await own.send("POST", "/agents", { id: "clerk", displayName: "Clerk" });
  });

  test("in an asset that does not exist or has no source is refused with the nearest one", async () => {
    const page = { id: "page", link: "https://example.com/a" };
    await own.send("POST", "/agents/clerk/revisions", { assets: [page] });
    const body = { query: "x", assetIds: ["prices", "handbok", "page"] };
    expect(expectProblem(await own.try("POST", "/assets:search", { body }))).toMatchObject({
      status: 400,
      slug: "validation-failed",
      errors: [
        { pointer: "/assetIds/1", detail: expect.stringContaining('did you mean "handbook"?') },
        { pointer: "/assetIds/2", detail: expect.stringContaining("has no source") },
      ],
    });
    const found = await own.send("POST", "/assets:search", { query: "x", assetIds: ["prices"] });
    expect(found.body).toEqual({ items: [] });
  });

  test("of a flow in an asset that was deleted since fails its step", {
    tags: "nightly",
  }, async () => {
    const steps = [{ id: "find", type: "Retrieve", query: "x" }];
    await own.deployAgent("clerk2", { assets: [{ id: "prices" }], flow: { steps, edges: [] } });
    const run = () => own.try("POST", "/agents/clerk2:execute", { body: { input: {} } });
    expect(await run()).toMatchObject({ status: 200, body: { output: [] } });
    await own.send("DELETE", "/assets/prices");
    expect(expectProblem(await run())).toMatchObject({
      status: 422,
      slug: "execution-failed",
      step: "find",
      detail: expect.stringContaining('there is no asset "prices"'),
    });
  });
});

describe("an estimate", () => {
  const free = { providerId: "echo", model: "echo-1", cost: 0 };

  test("of an agent without assets is nothing", async () => {
    const { status, body } = await estimate({ type: "wharf", parameters: null });
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        tokenCount: 0,
        chunkCount: 0,
        documentCount: 0,
        estimatedCost: [free],
        documents: [],
      },
    });
  });

  test("of Wharf's own assets accepts any of the tenant, and requires the scope to read them", async () => {
    await own.send("POST", "/assets", { id: "manual", displayName: "Manual", type: "upload" });
    const body = { type: "wharf", parameters: { assetIds: "manual" } };
    expect(await estimate(body)).toMatchObject({
      status: 200,
      body: { tokenCount: 0, chunkCount: 0, documentCount: 0, documents: [] },
    });
    const key = await own.mintKey(["assets:write"]);
    const refused = await own.try("POST", "/agents/hello/assets:estimate", {
      token: undefined,
      key,
      body,
    });
    expect(expectProblem(refused)).toMatchObject({
      slug: "insufficient-scope",
      requiredScope: "assets:read",
    });
    const missing = await estimate({ type: "wharf", parameters: { assetIds: "nothing" } });
    expect(expectProblem(missing)).toMatchObject({ errors: [{ pointer: "/parameters/assetIds" }] });
  });

  test("of Wharf's own assets counts their documents as they are indexed", {
    tags: "nightly",
  }, async () => {
    await own.send("POST", "/assets", { id: "guide", displayName: "Guide", type: "upload" });
    const texts = {
      "long.md": "All items can be returned within thirty days. ".repeat(200),
      "short.md": "# Returns\n\nWithin 30 days.",
    };
    const headers = { "Content-Type": "text/markdown" };
    for (const [name, raw] of Object.entries(texts)) {
      await own.try("POST", `/assets/guide/documents?name=${name}`, { raw, headers });
    }
    const { items } = await vi.waitFor(
      async () => {
        const { body } = await own.send("GET", "/assets/guide/documents");
        const page = AssetDocumentPage.parse(body);
        expect(page.items.map(({ status }) => status)).toEqual(["Indexed", "Indexed"]);
        return page;
      },
      { timeout: 20_000, interval: 300 },
    );
    await own.deployAgent("guided", { assets: [{ id: "guide" }] });
    const wanted = { type: "wharf", parameters: { assetIds: "guide" } };
    const estimated = (await estimate(wanted)).body;
    const { documents, ...totals } = AssetEstimate.parse(estimated);
    const ofText = async (name: string, text: string) => {
      const chunking = { size: 512, overlap: 64 };
      const chunks = await Array.fromAsync(splitText([text], { chunking, count: countTokens }));
      const tokenCount = chunks.reduce((sum, { tokens }) => sum + tokens, 0);
      return { fileName: name, tokenCount, chunkCount: chunks.length };
    };
    const expected = [
      await ofText("long.md", texts["long.md"]),
      await ofText("short.md", texts["short.md"]),
    ];
    expect(new Set(documents)).toEqual(new Set(expected));
    expect(expected.map(({ chunkCount }) => chunkCount)).toEqual([5, 1]);
    expect(documents.map(({ fileName, chunkCount }) => [fileName, chunkCount])).toEqual(
      items.map(({ name, chunkCount }) => [name, chunkCount]),
    );
    expect(totals).toMatchObject({
      tokenCount: expected.reduce((sum, { tokenCount }) => sum + tokenCount, 0),
      chunkCount: 6,
      documentCount: 2,
    });
    // The same as an asset of a revision.
    expect((await estimate({ type: "wharf", parameters: null }, "guided")).body).toEqual(estimated);
  });

  test("of an unknown agent is 404", async () => {
    expect((await estimate({ type: "wharf", parameters: null }, "nobody")).status).toBe(404);
  });

  test.each([
    ["an unknown type", { type: "x", parameters: {} }, ["/type"]],
    ["no type", { type: null, parameters: null }, ["/type"]],
    ["no members", {}, ["/type", "/parameters"]],
    [
      "parameters that are missing, unknown and wrong",
      { type: "github", parameters: { path: 1, more: "x" } },
      ["/parameters/repository", "/parameters/path", "/parameters/more"],
    ],
  ])("with %s is 400 with every place", async (_, body, pointers) => {
    const response = await estimate(body);
    const problem = z
      .looseObject({ slug: z.string(), errors: z.array(z.object({ pointer: z.string() })) })
      .parse(expectProblem(response));
    expect(problem.slug).toBe("validation-failed");
    expect(problem.errors.map(({ pointer }) => pointer).sort()).toEqual(pointers.toSorted());
  });

  test.each(Object.entries(typed))("%s names all that is missing", async (action, names) => {
    const response = await own.try("POST", `/agents/hello/${action}`, { body: {} });
    expect(expectProblem(response)).toMatchObject({
      slug: "validation-failed",
      errors: names.map((name) => expect.objectContaining({ pointer: `/${name}` })),
    });
  });

  test.each([
    ["neither files nor a folder", {}],
    ["both files and a folder", { fileIds: ["one", "two"], folderId: "three" }],
  ])("of Google Drive with %s is 400 before anything is called", async (_, more) => {
    const body = { refreshToken: "t", ...more };
    const response = await own.try("POST", "/agents/hello/assets:google-drive-estimate", { body });
    expect(expectProblem(response)).toMatchObject({
      slug: "validation-failed",
      errors: ["/fileIds", "/folderId"].map((pointer) => expect.objectContaining({ pointer })),
    });
  });
});
