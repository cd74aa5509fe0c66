import { beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { newOrganization, problemOf } from "../harness/api.ts";

type Organization = Awaited<ReturnType<typeof newOrganization>>;

const Created = z.looseObject({ id: z.string() });

const create = async (own: Organization, body: unknown): Promise<string> =>
  Created.parse((await own.send("POST", "/integration-configs", body)).body).id;

describe("integration configs", () => {
  let own: Organization;

  beforeAll(async () => {
    own = await newOrganization();
  });

  test("are made, changed, published, read, listed and deleted; credentials never show", async () => {
    const id = await create(own, {
      integrationId: "gitlab",
      displayName: "Ours",
      parameters: { a: 1 },
      auth: { parameters: { token: "very-secret" } },
    });
    const path = `/integration-configs/${id}`;
    await own.send("POST", `${path}:publish`);
    const changed = await own.send("PATCH", path, {
      displayName: "Still ours",
      auth: { parameters: { token: "********" } },
    });
    expect(changed.body).toMatchObject({ latestRevision: 2, publishedRevision: 1 });
    const rolled = await own.send("POST", `${path}:publish`, { revision: 2 });
    expect(rolled.body).toMatchObject({ publishedRevision: 2, parameters: { a: 1 } });
    const read = await own.send("GET", path);
    expect(read.body).toEqual(rolled.body);
    expect(read.text).not.toContain("very-secret");
    const list = await own.send("GET", "/integration-configs");
    expect(list.body).toEqual({ items: [read.body], nextPageToken: null });
    expect((await own.try("DELETE", path)).status).toBe(204);
    expect((await own.try("GET", path)).status).toBe(404);
    expect((await own.try("POST", `${path}:publish`)).status).toBe(404);
  });

  test("two changes at once make two revisions without a gap", async () => {
    const id = await create(own, { integrationId: "linear" });
    const change = (displayName: string) =>
      own.send("PATCH", `/integration-configs/${id}`, { displayName });
    const both = await Promise.all([change("one"), change("two")]);
    const numbers = both.map(
      ({ body }) => z.object({ latestRevision: z.int() }).parse(body).latestRevision,
    );
    expect(numbers.sort()).toEqual([2, 3]);
  });

  test("what does not fit is refused with pointers", async () => {
    const refused = await own.try("POST", "/integration-configs", {
      body: { integrationId: "no/slash", auth: { parameters: { token: 1 } } },
    });
    expect(problemOf(refused)).toMatchObject({
      slug: "validation-failed",
      errors: [{ pointer: "/integrationId" }, { pointer: "/auth/parameters/token" }],
    });
  });
});
