import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type TestDatabase, testDatabase } from "../../test/harness/table.ts";
import { testTenant } from "../../test/harness/tenant.ts";
import { shareAvatar } from "../agents/agent/share-avatar.ts";
import type { Principal } from "../platform/auth/principal.ts";
import { presets, scopeEntries } from "../platform/auth/scopes.ts";
import { newUuid } from "../platform/runtime/runtime.ts";
import { completeFileUpload } from "./complete-file-upload.ts";
import { createFile } from "./create-file.ts";
import { createFileUpload } from "./create-file-upload.ts";
import { deleteFile } from "./delete-file.ts";
import { pendingObject } from "./file-item.ts";
import { readFile } from "./read-file.ts";
import { putFileUse } from "./store.ts";

const text = Buffer.from("hello");
const dayMs = 24 * 3_600_000;

describe("a stored file", () => {
  let db: TestDatabase;
  let tenant: ReturnType<typeof testTenant>;
  beforeAll(async () => {
    db = await testDatabase();
  });
  beforeEach(() => {
    tenant = testTenant(db);
  });

  const all = scopeEntries.map(({ scope }) => scope);
  const person = (id: string, scopes: readonly string[] = presets.Admin): Principal => ({
    ...tenant.ctx.principal,
    id,
    userIds: [id],
    scopes,
  });
  const deps = () => ({
    db,
    objects: tenant.deps.objects,
    uploads: tenant.deps.uploads,
    files: tenant.deps.files.objects,
  });
  const store = (creatorId = "owner") =>
    createFile(deps(), {
      tenantId: tenant.ctx.tenant.id,
      id: newUuid(tenant.ctx),
      name: "a.txt",
      content: text,
      creator: { type: "User", id: creatorId },
      retentionDays: 30,
      now: tenant.ctx.clock(),
    });
  const read = (fileId: string, principal: Principal) =>
    readFile(db, {
      tenantId: tenant.ctx.tenant.id,
      principal,
      fileId,
      now: tenant.ctx.clock(),
    }).then(
      ({ id }) => id === fileId,
      () => false,
    );
  const remove = (fileId: string, principal: Principal) =>
    deleteFile(deps(), {
      tenantId: tenant.ctx.tenant.id,
      principal,
      fileId,
      now: tenant.ctx.clock(),
    }).then(
      () => true,
      () => false,
    );
  const use = async (file: { id: string; expiresAt: number }, agentId: string, starter: string) => {
    const executionId = newUuid(tenant.ctx);
    await putFileUse(db, tenant.ctx.tenant.id, file, { agentId, executionId, starter });
  };

  test("is read by its creator, and by no other user who reads executions", async () => {
    const { id } = await store();
    expect(await read(id, person("owner", ["agents:execute"]))).toBe(true);
    expect(await read(id, person("other", all))).toBe(false);
    expect(await read(id, { ...person("owner", all), type: "ApiKey" })).toBe(false);
  });

  test("that an execution uses is read by those who read its record, and by its starter", async () => {
    const file = await store();
    await use(file, "hello", "starter");
    expect(await read(file.id, person("reader", ["executions:read"]))).toBe(true);
    expect(await read(file.id, person("starter", ["agents:execute"]))).toBe(true);
    expect(await read(file.id, person("other", ["agents:execute"]))).toBe(false);
  });

  test("that is the avatar of an agent is read by those who read the agent", async () => {
    const file = await store();
    const { ctx } = tenant;
    const avatar = { agentId: "hello", avatarFileId: file.id };
    await shareAvatar(db, { ctx: { ...ctx, principal: person("other", all) }, ...avatar });
    expect(await read(file.id, person("reader", all))).toBe(false);
    await shareAvatar(db, { ctx: { ...ctx, principal: person("owner") }, ...avatar });
    expect(await read(file.id, person("reader", ["agents:read"]))).toBe(true);
    expect(await read(file.id, person("reader", ["executions:read"]))).toBe(false);
    await shareAvatar(db, { ctx, agentId: "hello", avatarFileId: "no-file" });
  });

  test("is not read through the record of another tenant", async () => {
    const file = await store();
    const other = testTenant(db);
    const elsewhere = { agentId: "hello", executionId: newUuid(tenant.ctx), starter: "reader" };
    await putFileUse(db, other.ctx.tenant.id, file, elsewhere);
    expect(await read(file.id, person("reader", all))).toBe(false);
  });

  test("is deleted by its creator and by those who manage the organization", async () => {
    const [first, second, third] = [await store(), await store(), await store()];
    await use(first, "hello", "reader");
    expect(await remove(first.id, person("reader", ["executions:read", "agents:execute"]))).toBe(
      false,
    );
    expect(await remove(first.id, person("owner", ["agents:execute"]))).toBe(true);
    expect(await remove(second.id, person("admin", ["organization:write"]))).toBe(true);
    expect(await read(first.id, person("owner"))).toBe(false);
    expect([...tenant.deps.objects.all.keys()]).toEqual([third.object]);
  });

  test("expires after its days, whether or not it was removed", async () => {
    const { id } = await store();
    tenant.advance(30 * dayMs - 1);
    expect(await read(id, person("owner"))).toBe(true);
    tenant.advance(1);
    expect(await read(id, person("owner"))).toBe(false);
  });

  describe("that is uploaded", () => {
    const begin = () =>
      createFileUpload(deps(), {
        ctx: tenant.ctx,
        body: { name: "a.pdf", mediaType: "application/pdf", bytes: text.byteLength },
      });
    const send = (id: string, content: Uint8Array) =>
      tenant.deps.objects.all.set(pendingObject(tenant.ctx.tenant.id, id), content);
    const complete = (fileId: string, ctx = tenant.ctx) =>
      completeFileUpload(deps(), { ctx, fileId });

    test("exists when the upload is completed, with the type and the size of its content", async () => {
      const { id } = await begin();
      await expect(complete(id)).rejects.toThrow("No file was sent");
      expect(await read(id, tenant.ctx.principal)).toBe(false);
      send(id, text);
      const file = await complete(id);
      expect(file).toMatchObject({ mediaType: "text/plain", bytes: 5, name: "a.pdf" });
      expect(await read(id, tenant.ctx.principal)).toBe(true);
      send(id, Buffer.from("later"));
      expect(await complete(id)).toEqual(file);
      expect(Buffer.from((await deps().files.get(file.object)) ?? [])).toEqual(text);
    });

    test("completes once for callers at the same moment", async () => {
      const { id } = await begin();
      send(id, text);
      const [first, second] = await Promise.all([complete(id), complete(id)]);
      expect(first).toEqual(second);
    });

    test("does not exist for others, nor after a day", async () => {
      const { id } = await begin();
      send(id, text);
      const other = { ...tenant.ctx, principal: person("other", all) };
      await expect(complete(id, other)).rejects.toThrow("There is no file");
      tenant.advance(dayMs);
      await expect(complete(id)).rejects.toThrow("There is no file");
    });

    test("is not stored any more when it is deleted before", async () => {
      const { id } = await begin();
      send(id, text);
      expect(await remove(id, tenant.ctx.principal)).toBe(true);
      await expect(complete(id)).rejects.toThrow("There is no file");
      expect([...tenant.deps.objects.all.keys()]).toEqual([]);
    });
  });
});
