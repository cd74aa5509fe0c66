import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type TestDatabase, testDatabase } from "../../test/harness/table.ts";
import { testTenant } from "../../test/harness/tenant.ts";
import { toDay } from "../platform/db/keys.ts";
import { newUuid } from "../platform/runtime/runtime.ts";
import { createFile } from "./create-file.ts";
import { createFileUpload } from "./create-file-upload.ts";
import { executionFiles } from "./execution-files.ts";
import { readFile } from "./read-file.ts";
import { addStoredBytes } from "./store.ts";

const most = 100 * 1024 ** 3;
const dayMs = 24 * 3_600_000;
const content = Buffer.from("hello");

describe("the bytes of files that a tenant stores on a day", () => {
  let db: TestDatabase;
  let tenant: ReturnType<typeof testTenant>;
  beforeAll(async () => {
    db = await testDatabase();
  });
  beforeEach(() => {
    tenant = testTenant(db);
  });

  /** Stores all but some of the bytes of today. */
  const leave = async (left: number) => {
    const now = tenant.ctx.clock();
    const counted = { day: toDay(now), bytes: most - left, most, now };
    expect(await addStoredBytes(db, tenant.ctx.tenant.id, counted)).toBe(true);
  };
  const store = () =>
    createFile(
      { db, files: tenant.deps.files.objects },
      {
        tenantId: tenant.ctx.tenant.id,
        id: newUuid(tenant.ctx),
        name: "a.txt",
        content,
        creator: { type: "User", id: tenant.ctx.principal.id },
        retentionDays: 30,
        now: tenant.ctx.clock(),
      },
    );
  const countObjects = () =>
    [...tenant.deps.objects.all.keys()].filter((key) => key.startsWith("files/")).length;

  test("are limited until the next day; files that are stored stay readable", async () => {
    await leave(2 * content.byteLength);
    const { id } = await store();
    await store();
    const now = tenant.ctx.clock();
    const seconds = Math.ceil((dayMs - (now % dayMs)) / 1_000);
    await expect(store()).rejects.toMatchObject({
      slug: "rate-limit-exceeded",
      headers: { "Retry-After": String(seconds) },
      message: expect.stringContaining("the 100 GiB of files that the tenant may store on a day"),
    });
    expect(countObjects()).toBe(2);
    const { principal } = tenant.ctx;
    const read = { tenantId: tenant.ctx.tenant.id, principal, fileId: id, now };
    expect(await readFile(db, read)).toMatchObject({ id });
    tenant.advance(seconds * 1_000);
    await store();
  });

  test("include uploads from the beginning, by their size", async () => {
    await leave(10);
    const body = { name: "a.txt", mediaType: "text/plain", bytes: 10 };
    const upload = (bytes: number) =>
      createFileUpload(tenant.deps, { ctx: tenant.ctx, body: { ...body, bytes } });
    await expect(upload(11)).rejects.toMatchObject({ slug: "rate-limit-exceeded" });
    await upload(10);
    await expect(upload(1)).rejects.toMatchObject({ slug: "rate-limit-exceeded" });
    await expect(store()).rejects.toMatchObject({ slug: "rate-limit-exceeded" });
  });

  test("are counted without loss by files at the same time", async () => {
    await leave(3 * content.byteLength);
    const all = await Promise.allSettled(Array.from({ length: 8 }, store));
    expect(all.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
  });

  test("include files that tools make: beyond the limit, the tool fails", async () => {
    await leave(content.byteLength);
    const files = executionFiles(
      { db, files: tenant.deps.files, runtime: tenant.ctx },
      {
        tenantId: tenant.ctx.tenant.id,
        execution: { agentId: "a", executionId: newUuid(tenant.ctx) },
        starter: null,
      },
    );
    const file = { name: "b.txt", mediaType: "text/plain", content };
    await files.save(file);
    await expect(files.save(file)).rejects.toMatchObject({
      slug: "execution-failed",
      message: expect.stringContaining('The file "b.txt" exceeds the 100 GiB'),
    });
  });
});
