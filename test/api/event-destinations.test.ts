import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { call, expectProblem, newOrganization } from "../harness/api.ts";

const Destination = z.looseObject({
  id: z.string(),
  url: z.string(),
  signingSecret: z.string().nullable(),
});
const Page = z.object({ items: z.array(Destination), nextPageToken: z.string().nullable() });
const path = "/event-destinations";
const url = "https://events.example.com/wharf?token=abc";
const eventTypes = ["agent.execution.failed", "api_key.issued"];

describe("an event destination", () => {
  let own: Awaited<ReturnType<typeof newOrganization>>;

  beforeAll(async () => {
    own = await newOrganization();
  });

  const create = async (body: object = {}) =>
    Destination.parse((await own.send("POST", path, { url, eventTypes, ...body })).body);
  const read = async (id: string) =>
    Destination.parse((await own.send("GET", `${path}/${id}`)).body);

  test("shows its signing secret when it is made, and never again", async () => {
    const created = await create({ description: "Incidents" });
    expect(created).toEqual({
      id: created.id,
      url,
      eventTypes,
      description: "Incidents",
      active: true,
      lastDelivery: null,
      createdAt: expect.any(Number),
      modifiedAt: expect.any(Number),
      signingSecret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
    });
    expect(await read(created.id)).toEqual({ ...created, signingSecret: null });
    const list = await own.send("GET", path);
    expect(list.text).toContain(created.id);
    expect(list.text).not.toContain("whsec_");
  });

  test("is made and changed by those alone who could read of its events", async () => {
    const scopes = ["organization:write", "executions:read"];
    const key = await own.mintKey(scopes);
    const send = (method: string, to: string, body: object) =>
      call(method, own.base + to, { key, body });
    const may = { url, eventTypes: ["agent.execution.failed"] };
    const created = await send("POST", path, may);
    expect(created.status).toBe(201);
    const { id } = await create();
    for (const refused of [
      await send("POST", path, { url, eventTypes }),
      await send("PATCH", `${path}/${id}`, { url: "https://else.example.com" }),
    ]) {
      expect(expectProblem(refused)).toMatchObject({
        slug: "scope-escalation",
        scopes: ["keys:read"],
      });
    }
  });

  test("shows no secret when its creation is replayed under the same Idempotency-Key", async () => {
    const options = {
      body: { url, eventTypes },
      headers: { "Idempotency-Key": randomUUID() },
    };
    const first = Destination.parse((await own.try("POST", path, options)).body);
    const again = Destination.parse((await own.try("POST", path, options)).body);
    expect(again).toEqual({ ...first, signingSecret: null });
  });

  test("changes only sent members; a rotated secret is shown", async () => {
    const { id, signingSecret } = await create({ description: "a" });
    const patch = async (body: object) =>
      Destination.parse((await own.send("PATCH", `${path}/${id}`, body)).body);
    expect(await patch({ active: false })).toMatchObject({
      active: false,
      description: "a",
      url,
      signingSecret: null,
    });
    expect(await patch({ description: null })).toMatchObject({ active: false, description: null });
    const rotated = await patch({ rotateSecret: true });
    expect(rotated.signingSecret).toMatch(/^whsec_/);
    expect(rotated.signingSecret).not.toBe(signingSecret);
    expect((await read(id)).signingSecret).toBeNull();
  });

  test("does not exist after its deletion", async () => {
    const { id } = await create();
    expect((await own.try("DELETE", `${path}/${id}`)).status).toBe(204);
    for (const method of ["GET", "DELETE"]) {
      expect((await own.try(method, `${path}/${id}`)).status).toBe(404);
    }
    const patched = await own.try("PATCH", `${path}/${id}`, { body: { active: true } });
    expect(patched.status).toBe(404);
    expect((await own.try("POST", `${path}/${id}:test`)).status).toBe(404);
  });

  test.each([
    ["a user in it", { url: "https://me:secret@events.example.com" }, "/url"],
    ["a fragment", { url: "https://events.example.com/#x" }, "/url"],
    ["no URL", { url: "events" }, "/url"],
    ["a URL of more than 2,048 characters", { url: `${url}${"/".repeat(2_048)}` }, "/url"],
    ["no types", { eventTypes: [] }, "/eventTypes"],
    ["an unknown type", { eventTypes: ["agent.deleted"] }, "/eventTypes/0"],
  ])("with %s is refused", async (_, body, pointer) => {
    const response = await own.try("POST", path, { body: { url, eventTypes, ...body } });
    expect(response.status).toBe(400);
    expect(expectProblem(response)).toMatchObject({
      errors: [expect.objectContaining({ pointer })],
    });
    expect(response.text).not.toContain("secret");
  });

  test("belongs to the organization: its tenants share it, others do not know it", async () => {
    const { id } = await create();
    const slug = `second-${randomUUID().slice(0, 8)}`;
    const { token } = own;
    const created = await call("POST", "/v1/tenants", { token, body: { slug, displayName: "2" } });
    expect(created.status).toBe(201);
    const second = `/v1/tenants/${slug}${path}`;
    expect((await call("GET", `${second}/${id}`, { token })).status).toBe(200);
    const listed = Page.parse((await call("GET", second, { token })).body);
    expect(listed.items.map((each) => each.id)).toContain(id);
    const other = await newOrganization();
    expect((await other.try("GET", `${path}/${id}`)).status).toBe(404);
    expect((await other.try("PATCH", `${path}/${id}`, { body: { active: false } })).status).toBe(
      404,
    );
    expect((await other.try("DELETE", `${path}/${id}`)).status).toBe(404);
    expect((await other.try("POST", `${path}/${id}:test`)).status).toBe(404);
    expect(Page.parse((await other.send("GET", path)).body).items).toEqual([]);
    expect((await read(id)).id).toBe(id);
  });

  test("there are fifty of at most, listed page by page, oldest first", async () => {
    const full = await newOrganization();
    const made: string[] = [];
    for (let count = 0; count < 50; count += 1) {
      const response = await full.send("POST", path, { url, eventTypes });
      made.push(Destination.parse(response.body).id);
    }
    const refused = await full.try("POST", path, { body: { url, eventTypes } });
    expect(expectProblem(refused).slug).toBe("conflict");
    const first = Page.parse((await full.send("GET", `${path}?PageSize=30`)).body);
    const query = `?PageSize=30&PageToken.Skip=${first.nextPageToken}`;
    const second = Page.parse((await full.send("GET", path + query)).body);
    expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(made);
    expect(second.nextPageToken).toBeNull();
  });
});
