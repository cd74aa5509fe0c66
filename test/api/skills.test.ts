import { beforeEach, describe, expect, test } from "vitest";
import * as z from "zod";
import { expectProblem, newOrganization } from "../harness/api.ts";

const Page = z.object({
  items: z.array(z.looseObject({ id: z.string() })),
  nextPageToken: z.string().nullable(),
});
const Changed = z.looseObject({ modifiedAt: z.int() });

const travel = {
  id: "travel",
  displayName: "Travel",
  description: "Plans journeys.",
  instructions: "Ask for the dates first.",
  tools: [{ integrationId: "system", id: "current_time" }],
  resources: [{ assetId: "cities.md", description: "Cities", vectorized: true }],
};

let own: Awaited<ReturnType<typeof newOrganization>>;

beforeEach(async () => {
  own = await newOrganization();
});

describe("skills", () => {
  test("are created, read, changed, listed and deleted", async () => {
    const made = await own.send("POST", "/skills", travel);
    expect(made.status).toBe(201);
    const { createdAt } = z.looseObject({ createdAt: z.int() }).parse(made.body);
    expect(made.body).toEqual({ ...travel, type: 0, createdAt, modifiedAt: createdAt });
    expect(Math.abs(Date.now() - createdAt)).toBeLessThan(60_000);
    expect((await own.send("GET", "/skills/travel")).body).toEqual(made.body);
    const changed = await own.send("PUT", "/skills/travel", {
      description: "Plans trips.",
      tools: null,
    });
    const { modifiedAt } = Changed.parse(changed.body);
    const now = { ...travel, description: "Plans trips.", tools: null };
    expect(changed.body).toEqual({ ...now, type: 0, createdAt, modifiedAt });
    expect((await own.send("PUT", "/skills/travel", changed.body)).body).toMatchObject(now);
    const list = Page.parse((await own.send("GET", "/skills")).body);
    expect(list).toMatchObject({ items: [now], nextPageToken: null });
    expect((await own.try("DELETE", "/skills/travel")).status).toBe(204);
    for (const [method, body] of [["GET"], ["PUT", {}], ["DELETE"]] as const) {
      const gone = await own.try(method, "/skills/travel", { body });
      expect(expectProblem(gone)).toMatchObject({ status: 404, slug: "not-found" });
    }
  });

  test("need no more than id, displayName and description; the rest is null", async () => {
    const { id, displayName, description } = travel;
    const made = await own.send("POST", "/skills", { id, displayName, description, type: 1 });
    expect(made.body).toMatchObject({ instructions: null, tools: null, resources: null, type: 0 });
  });

  test("of two concurrent ones with the same id one is created, the other is 409", async () => {
    const names = ["a", "b", "c", "d"];
    const responses = await Promise.all(
      names.map((displayName) => own.try("POST", "/skills", { body: { ...travel, displayName } })),
    );
    expect(responses.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409]);
    const won = responses.find(({ status }) => status === 201);
    expect((await own.send("GET", "/skills/travel")).body).toEqual(won?.body);
    const lost = responses.find(({ status }) => status === 409);
    expect(lost && expectProblem(lost)).toMatchObject({ slug: "conflict" });
  });

  test("keep all concurrent changes of different members", async () => {
    await own.send("POST", "/skills", travel);
    const changes = [
      { displayName: "Trips" },
      { description: "Plans trips." },
      { instructions: null },
      { tools: [] },
      { resources: null },
    ];
    await Promise.all(changes.map((body) => own.send("PUT", "/skills/travel", body)));
    const expected = Object.assign({}, travel, ...changes);
    expect((await own.send("GET", "/skills/travel")).body).toMatchObject(expected);
  });

  test("are listed page by page, by id", { tags: "nightly" }, async () => {
    const ids = ["a", "b", "c", "d", "e"];
    await Promise.all(ids.map((id) => own.send("POST", "/skills", { ...travel, id })));
    const seen: string[] = [];
    let token: string | null = "0";
    while (token !== null) {
      const path = `/skills?PageSize=2&PageToken.Skip=${token}`;
      const page: z.output<typeof Page> = Page.parse((await own.send("GET", path)).body);
      expect(page.items.length).toBeLessThanOrEqual(2);
      seen.push(...page.items.map(({ id }) => id));
      token = page.nextPageToken;
    }
    expect(seen).toEqual(ids);
  });

  test.each([
    ["no id", { id: undefined }, "/id"],
    ["an id with a slash", { id: "a/b" }, "/id"],
    ["an empty name", { displayName: "" }, "/displayName"],
    ["no description", { description: null }, "/description"],
    ["instructions that are no text", { instructions: 1 }, "/instructions"],
    ["too long instructions", { instructions: "é".repeat(131_073) }, "/instructions"],
    ["a tool without an id", { tools: [{ integrationId: "system" }] }, "/tools/0/id"],
    [
      "a flag as a text",
      { resources: [{ assetId: "a", vectorized: "no" }] },
      "/resources/0/vectorized",
    ],
  ])("with %s are refused with a pointer", async (_, wrong, pointer) => {
    const refused = await own.try("POST", "/skills", { body: { ...travel, ...wrong } });
    expect(expectProblem(refused)).toMatchObject({
      slug: "validation-failed",
      errors: [{ pointer }],
    });
  });

  test("of the maximum size are stored, listed in several pages, and returned", {
    tags: "nightly",
  }, async () => {
    const body = { ...travel, instructions: "x".repeat(256 * 1024) };
    const headers = { "Idempotency-Key": "the-first" };
    const made = await own.try("POST", "/skills", { body, headers });
    expect(made.status).toBe(201);
    const again = await own.try("POST", "/skills", { body, headers });
    expect(again.body).toEqual(made.body);
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    for (let at = 0; at < 23; at += 1) await own.send("POST", "/skills", { ...body, id: `s${at}` });
    const first = Page.parse((await own.send("GET", "/skills?PageSize=200")).body);
    expect(first.items.length).toBeLessThan(24);
    const rest = await own.send("GET", `/skills?PageToken.Skip=${first.nextPageToken}`);
    expect(first.items.length + Page.parse(rest.body).items.length).toBe(24);
  });
});

describe("a markdown file", () => {
  const generate = (markdownContent: string, fileName = "pdf-forms/SKILL.md") =>
    own.try("POST", "/skills:generate-from-markdown", { body: { markdownContent, fileName } });

  const content =
    "---\r\nname: pdf-forms\r\ndescription: Use when: asked\r\nallowed-tools: Read system/calculate\r\n---\r\n# PDF forms\r\n\r\nSee [fields](./references/fields.md).\r\n";

  test("becomes a draft, which is not stored, and which makes a skill when it is sent back", {
    tags: "nightly",
  }, async () => {
    const drafted = await generate(content);
    expect(drafted.status).toBe(200);
    expect(drafted.body).toEqual({
      id: "pdf-forms",
      displayName: "PDF forms",
      description: "Use when: asked",
      instructions: "# PDF forms\n\nSee [fields](./references/fields.md).",
      tools: [{ integrationId: "system", id: "calculate" }],
      resources: [{ assetId: "references/fields.md", description: "fields", vectorized: false }],
      warnings: [expect.stringContaining("quotes"), expect.stringContaining('"Read"')],
    });
    expect((await own.try("GET", "/skills/pdf-forms")).status).toBe(404);
    const { warnings, ...draft } = z.looseObject({}).parse(drafted.body);
    expect((await own.send("POST", "/skills", drafted.body)).body).toMatchObject(draft);
  });

  test("with invalid front matter is refused with the line", { tags: "nightly" }, async () => {
    const refused = await generate("---\nname: a\ndescription: [b\n---\n");
    expect(expectProblem(refused)).toMatchObject({
      status: 400,
      slug: "validation-failed",
      errors: [{ pointer: "/markdownContent", detail: expect.stringContaining("line 3") }],
    });
  });

  test("of nearly a megabyte is accepted, and one that takes too long to parse is refused", {
    tags: "nightly",
  }, async () => {
    expect((await generate("Some *words* and [a link](a.md).\n\n".repeat(27_000))).status).toBe(
      200,
    );
    expect(expectProblem(await generate("> - ".repeat(250_000)))).toMatchObject({
      slug: "validation-failed",
      errors: [{ pointer: "/markdownContent" }],
    });
  });

  test.each([
    ["", "a.md", "/markdownContent"],
    ["a", "", "/fileName"],
  ])("%j named %j is refused", async (markdown, fileName, pointer) => {
    expect(expectProblem(await generate(markdown, fileName))).toMatchObject({
      errors: [{ pointer }],
    });
  });
});
