import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { expectProblem, newOrganization } from "../harness/api.ts";

type Organization = Awaited<ReturnType<typeof newOrganization>>;

const Created = z.looseObject({ id: z.string() });
const Exposed = z.object({ id: z.string(), mcpKey: z.object({ id: z.string(), key: z.string() }) });

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
      parameters: { baseUrl: "https://gitlab.example.com" },
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
    expect(rolled.body).toMatchObject({
      publishedRevision: 2,
      parameters: { baseUrl: "https://gitlab.example.com" },
    });
    const read = await own.send("GET", path);
    expect(read.body).toEqual(rolled.body);
    expect(read.text).not.toContain("very-secret");
    const list = await own.send("GET", "/integration-configs");
    expect(list.body).toEqual({ items: [read.body], nextPageToken: null });
    expect((await own.try("DELETE", path)).status).toBe(204);
    expect((await own.try("GET", path)).status).toBe(404);
    expect((await own.try("POST", `${path}:publish`)).status).toBe(404);
  });

  test("two concurrent changes make two revisions without a gap", async () => {
    const id = await create(own, { integrationId: "linear" });
    const change = (displayName: string) =>
      own.send("PATCH", `/integration-configs/${id}`, { displayName });
    const both = await Promise.all([change("one"), change("two")]);
    const numbers = both.map(
      ({ body }) => z.object({ latestRevision: z.int() }).parse(body).latestRevision,
    );
    expect(numbers.sort()).toEqual([2, 3]);
  });

  test("show the key of their MCP server once, also to a caller who repeats the request", async () => {
    const body = { integrationId: "system", exposeMcp: true };
    const headers = { "Idempotency-Key": randomUUID() };
    const first = await own.try("POST", "/integration-configs", { body, headers });
    const again = await own.try("POST", "/integration-configs", { body, headers });
    const { id, mcpKey } = Exposed.parse(first.body);
    expect(mcpKey.key).toMatch(/^wharf_live_/);
    expect(again.body).toEqual({ ...z.looseObject({}).parse(first.body), mcpKey: null });
    const path = `/integration-configs/${id}`;
    const shown = { exposeMcp: true, mcpKey: { id: mcpKey.id, key: null } };
    expect((await own.send("GET", path)).body).toMatchObject(shown);
    expect((await own.send("PATCH", path, { displayName: "b" })).body).toMatchObject(shown);
    const keys = await own.send("GET", "/apiKeys?PageSize=200");
    expect(z.looseObject({ items: z.array(z.unknown()) }).parse(keys.body).items).toContainEqual(
      expect.objectContaining({ id: mcpKey.id, scopes: ["mcp:invoke"], status: "Active" }),
    );
  });

  test("rotate that key alone, and revoke it when they are deleted, as its history records", async () => {
    const created = await own.send("POST", "/integration-configs", {
      integrationId: "system",
      exposeMcp: true,
    });
    const { id, mcpKey } = Exposed.parse(created.body);
    const path = `/integration-configs/${id}`;
    const rotated = Exposed.parse((await own.send("POST", `${path}:rotate-mcp-key`)).body);
    expect(rotated.mcpKey.id).toBe(mcpKey.id);
    expect(rotated.mcpKey.key).not.toBe(mcpKey.key);
    const other = await create(own, { integrationId: "system" });
    const refused = await own.try("POST", `/integration-configs/${other}:rotate-mcp-key`);
    expect(expectProblem(refused).slug).toBe("conflict");
    await own.send("DELETE", path);
    const events = await own.send("GET", `/apiKeys/${mcpKey.id}/auditEvents`);
    expect(events.body).toMatchObject({
      items: [{ type: "Revoked" }, { type: "Rotated" }, { type: "Issued" }],
    });
  });

  test("get their key from any caller who exposes them, but do not show it to callers who lack its scope", async () => {
    const key = await own.mintKey(["integrations:write"]);
    const body = { integrationId: "system", exposeMcp: true };
    const created = await own.try("POST", "/integration-configs", { body, token: undefined, key });
    expect(created.body).toMatchObject({ mcpKey: { id: expect.any(String), key: null } });
    const path = `/integration-configs/${Created.parse(created.body).id}:rotate-mcp-key`;
    const refused = await own.try("POST", path, { token: undefined, key });
    expect(expectProblem(refused)).toMatchObject({
      slug: "scope-escalation",
      scopes: ["mcp:invoke"],
    });
  });

  test("of an unknown integration are refused with the nearest one", async () => {
    const body = { integrationId: "opnapi", parameters: {} };
    expect(expectProblem(await own.try("POST", "/integration-configs", { body }))).toMatchObject({
      slug: "validation-failed",
      errors: [
        { pointer: "/integrationId", detail: expect.stringContaining('did you mean "openapi"?') },
      ],
    });
  });

  test("invalid members are refused with pointers", async () => {
    const refused = await own.try("POST", "/integration-configs", {
      body: { integrationId: "no/slash", auth: { parameters: { token: 1 } } },
    });
    expect(expectProblem(refused)).toMatchObject({
      slug: "validation-failed",
      errors: [{ pointer: "/integrationId" }, { pointer: "/auth/parameters/token" }],
    });
  });
});
