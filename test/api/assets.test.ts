import { beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { newOrganization, problemOf } from "../harness/api.ts";

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
  test("are those of the interface, with what each needs", async () => {
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
  const assets = (...ids: string[]) => ids.map((id) => ({ id, displayName: `The ${id}` }));
  const ids = (body: unknown) =>
    z
      .object({
        items: z.array(z.looseObject({ id: z.string() })),
        nextPageToken: z.string().nullable(),
      })
      .transform(({ items, nextPageToken }) => [items.map(({ id }) => id), nextPageToken])
      .parse(body);

  test("has what revisions of any agent named, page by page, until their agent is deleted", async () => {
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
    [
      "an address that is not https",
      { type: "github", parameters: { repository: "acme/app", baseUrl: "http://127.0.0.1:1" } },
      ["/parameters/baseUrl"],
    ],
    [
      "an address inside",
      { type: "github", parameters: { repository: "acme/app", baseUrl: "https://127.0.0.1:1" } },
      ["/parameters/baseUrl"],
    ],
  ])("with %s is 400 with every place", async (_, body, pointers) => {
    const answer = await estimate(body);
    const problem = z
      .looseObject({ slug: z.string(), errors: z.array(z.object({ pointer: z.string() })) })
      .parse(problemOf(answer));
    expect(problem.slug).toBe("validation-failed");
    expect(problem.errors.map(({ pointer }) => pointer).sort()).toEqual(pointers.toSorted());
  });

  test.each(Object.entries(typed))("%s names all that is missing", async (action, names) => {
    const answer = await own.try("POST", `/agents/hello/${action}`, { body: {} });
    expect(problemOf(answer)).toMatchObject({
      slug: "validation-failed",
      errors: names.map((name) => expect.objectContaining({ pointer: `/${name}` })),
    });
  });

  test("does not read a Jira at a private address, and points to the member", async () => {
    const body = { baseUrl: "https://169.254.169.254", jql: "x", token: "t", email: null };
    const answer = await own.try("POST", "/agents/hello/assets:jira-estimate", { body });
    expect(problemOf(answer)).toMatchObject({
      slug: "validation-failed",
      errors: [expect.objectContaining({ pointer: "/baseUrl" })],
    });
  });

  test.each([
    ["neither files nor a folder", {}],
    ["both files and a folder", { fileIds: ["one", "two"], folderId: "three" }],
  ])("of Google Drive with %s is 400 before anything is called", async (_, more) => {
    const body = { refreshToken: "t", ...more };
    const answer = await own.try("POST", "/agents/hello/assets:google-drive-estimate", { body });
    expect(problemOf(answer)).toMatchObject({
      slug: "validation-failed",
      errors: ["/fileIds", "/folderId"].map((pointer) => expect.objectContaining({ pointer })),
    });
  });
});
