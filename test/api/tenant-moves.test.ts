import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import * as z from "zod";
import { routes } from "../../functions/routes.ts";
import { credentialsFor } from "../../infra/local/access/credentials.ts";
import { operator } from "../../infra/local/operator.ts";
import { schedulesPath } from "../../infra/local/storage/endpoint.ts";
import { readAssembly } from "../../infra/local/template/assembly.ts";
import { readModel } from "../../infra/local/template/model.ts";
import { deleteTenant } from "../../infra/tenant/delete-tenant.ts";
import { exportTenant } from "../../infra/tenant/export-tenant.ts";
import { type FileStore, openFileStore } from "../../infra/tenant/file-store.ts";
import { importTenant } from "../../infra/tenant/import-tenant.ts";
import { type Installation, openLocal } from "../../infra/tenant/installation.ts";
import type { Manifest } from "../../infra/tenant/manifest.ts";
import { markLostVectors } from "../../infra/tenant/mark-lost-vectors.ts";
import type { Pace } from "../../infra/tenant/pace.ts";
import { findTenant } from "../../infra/tenant/subject.ts";
import { deleteIndex } from "../../infra/tenant/vectors.ts";
import { verifyDeleted, verifyExport } from "../../infra/tenant/verify.ts";
import type { Compared } from "../../infra/tenant/verify-tenant.ts";
import { scopeEntries } from "../../lib/platform/auth/scopes.ts";
import { newOrganization } from "../harness/api.ts";
import { type LocalStackAddress, startLocalStack, type TestStack } from "../harness/local-stack.ts";
import { isNightly } from "../harness/runs.ts";
import { prepareWholeTenant } from "../suites/prepare-whole-tenant.ts";

const everyScope = scopeEntries.map(({ scope }) => scope);
const passphrase = "correct horse battery staple";
const secretTexts = ["the-key-of-the-provider", '1234\\"', "xoxb-example"];

const open = (stack: LocalStackAddress): Installation => {
  const credentials = credentialsFor(stack.secret, operator);
  const [table] = readModel(readAssembly(stack.assembly), stack.services).tables;
  return openLocal({ ...stack, credentials, table: table?.name ?? "" }, "Wharf");
};

const noPace: Pace = async () => undefined;
const common = {
  pace: noPace,
  progress: () => undefined,
  clock: Date.now,
  sleep: async () => undefined,
  newId: randomUUID,
};

/** A pace that fails at a call, as if the command had been killed. */
const failingPace = (passing: number): Pace => {
  let left = passing;
  return async () => {
    if (left === 0) throw new Error("killed");
    left -= 1;
  };
};

/** A store that fails at a file, as if the command had been killed. */
const failingStore = (store: FileStore, passing: number): FileStore => {
  let left = passing;
  const pass = () => {
    if (left === 0) throw new Error("killed");
    left -= 1;
  };
  return {
    ...store,
    put: async (...file) => {
      pass();
      await store.put(...file);
    },
    get: async (name) => {
      pass();
      return store.get(name);
    },
  };
};

/**
 * Runs a command that is killed at a later point each time, until it completes; at least twice. At night it is killed at
 * every second point, by day at points that are three times as late as those before.
 */
const runKilled = async <Result>(run: (passing: number) => Promise<Result>): Promise<Result> => {
  for (let passing = 1; ; passing = isNightly ? passing + 2 : 3 * passing) {
    try {
      const result = await run(passing);
      expect(passing).toBeGreaterThan(3);
      return result;
    } catch (error) {
      if (!(error instanceof Error && error.message === "killed")) throw error;
    }
  }
};

/** Rows with stored responses. Another service responds for the models of a provider; a task that has ended has no stream. */
const readable = routes.filter(
  ({ operation, method, path, scope, streaming }) =>
    method === "GET" &&
    streaming === undefined &&
    path.startsWith("/v1/tenants/{tenant}") &&
    scope !== "public" &&
    operation !== "list-llm-models",
);

/** The row that names most resources of every fourth group; every row at night. */
const comparedRows = isNightly
  ? readable
  : [...Map.groupBy(readable, ({ group }) => group).values()]
      .filter((_, at) => at % 4 === 0)
      .map((rows) => rows.reduce((most, row) => (row.path.length > most.path.length ? row : most)));

const wrong = (compared: readonly Compared[]) => compared.filter(({ isRight }) => !isRight);

/** Members that differ by the time or the installation. */
const withoutVolatile = (text: string, stack: LocalStackAddress): string =>
  text
    .replaceAll(stack.baseUrl, "BASE")
    .replaceAll(/connection-links\/[^"]+/g, "connection-links/LINK")
    .replaceAll(/"request_id":"[^"]+"/g, '"request_id":""')
    .replaceAll(/"lastUsedAt":"?[^",}]+"?/g, '"lastUsedAt":0');

const listFiles = (directory: string): string[] =>
  readdirSync(directory, { recursive: true, encoding: "utf8" }).filter((name) =>
    statSync(join(directory, name)).isFile(),
  );

const Executed = z.object({ executionId: z.string() });

describe("a tenant that moves to another installation", () => {
  let own: Awaited<ReturnType<typeof newOrganization>>;
  let params: Record<string, string>;
  let key: string;
  let second: string;
  let targetStack: TestStack;
  let source: Installation;
  let target: Installation;
  let directory: string;
  let manifest: Manifest;

  beforeAll(async () => {
    own = await newOrganization();
    targetStack = await startLocalStack({ clock: "stopped", table: "memory" });
    directory = mkdtempSync(join(tmpdir(), "wharf-export-"));
    [source, target] = [open(inject("stack")), open(targetStack.address)];
    params = await prepareWholeTenant(own);
    key = await own.mintKey(everyScope);
    // Another tenant of the organization.
    second = `t-${randomUUID().slice(0, 18)}`;
    await own.client.POST("/v1/tenants", { body: { slug: second, displayName: "Second" } });
    await own.client.POST("/v1/tenants/{tenant}/agents", {
      params: { path: { tenant: second } },
      body: { id: "other", displayName: "Other" },
    });
  }, 120_000);
  afterAll(async () => {
    await targetStack?.close();
    rmSync(directory, { recursive: true, force: true });
  });

  const exportFrom = async (
    installation: Installation,
    slug: string,
    store: FileStore,
    options: Partial<Parameters<typeof exportTenant>[1]> = {},
  ) => {
    const tenant = await findTenant(installation, slug);
    if (!tenant) throw new Error(`no tenant ${slug}`);
    const input = { tenant, passphrase, segments: 4, partBytes: 6_000, passphraseCost: 2 ** 10 };
    return exportTenant({ ...common, source: installation, store }, { ...input, ...options });
  };
  const storeIn = (name: string) => openFileStore(join(directory, name), source.s3);
  const deleteFrom = (pace: Pace) =>
    deleteTenant(
      { ...common, installation: target, pace, endListeners: async () => undefined },
      { tenant: own.slug, segments: 4, waitMs: 0 },
    );
  const get = async (stack: LocalStackAddress, path: string, credential = key) => {
    const headers = { "X-API-KEY": credential, "A2A-Version": "1.0" };
    const response = await fetch(stack.baseUrl + path, { headers });
    const text = withoutVolatile(await response.text(), stack);
    return { status: response.status, body: JSON.parse(text) };
  };
  const post = async (stack: LocalStackAddress, path: string, body: unknown) => {
    const headers = { "X-API-KEY": key, "Content-Type": "application/json" };
    const response = await fetch(stack.baseUrl + path, {
      method: "POST",
      headers,
      body: JSON.stringify(body),
    });
    return { status: response.status, text: await response.text() };
  };

  test("is exported by a command that was killed several times, without a secret on the disk", async () => {
    const store = storeIn("first");
    manifest = await runKilled((files) => exportFrom(source, own.slug, failingStore(store, files)));
    expect(manifest.openExecutions).toBe(0);
    expect(manifest.objects.count).toBeGreaterThan(1);
    expect(manifest.vectors).toBeGreaterThan(0);
    expect(manifest.files.filter(({ kind }) => kind === "items").length).toBeGreaterThan(2);
    for (const name of listFiles(join(directory, "first"))) {
      const text = readFileSync(join(directory, "first", name), "latin1");
      for (const secret of [...secretTexts, passphrase, key]) expect(text).not.toContain(secret);
      expect(statSync(join(directory, "first", name)).mode & 0o077).toBe(0);
    }
    expect(wrong(await verifyExport({ ...common, installation: source }, manifest))).toEqual([]);
  });

  test("is not imported with another passphrase, from a changed file, or where it exists", async () => {
    const store = storeIn("first");
    const from = (target: Installation, changed = store, text = passphrase) =>
      importTenant({ ...common, target, store: changed }, { passphrase: text });
    await expect(from(target, store, "another passphrase")).rejects.toThrow(
      "not that of the export",
    );
    await expect(from(source)).rejects.toThrow("exists");
    const [file] = manifest.files;
    const spoiled: FileStore = {
      ...store,
      get: async (name) => (name === file?.name ? Buffer.from("{}\n") : store.get(name)),
    };
    await expect(from(target, spoiled)).rejects.toThrow("not as it was exported");
  });

  test("has the same responses after an import that was killed several times, and all of its keys work", async () => {
    await runKilled(async (files) => {
      expect((await get(targetStack, `/v1/tenants/${own.slug}`)).status).not.toBe(200);
      const store = failingStore(storeIn("first"), files);
      return importTenant({ ...common, target, store }, { passphrase });
    });
    expect(wrong(await verifyExport({ ...common, installation: target }, manifest))).toEqual([]);
    const today = new Date().toISOString().slice(0, 10);
    const queries: Readonly<Record<string, string>> = {
      "get-usage": `?from=${today}&to=${today}`,
      "list-memories": "?namespace=user-42",
    };
    const compared = await Promise.all(
      comparedRows.map(async ({ operation, path }) => {
        const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
          encodeURIComponent(
            operation === "list-memories" && name === "agent" ? "keeper" : (params[name] ?? ""),
          ),
        );
        const query = queries[operation] ?? "";
        const before = await get(inject("stack"), filled + query);
        return { operation, before, after: await get(targetStack, filled + query) };
      }),
    );
    expect(compared.filter(({ before }) => before.status !== 200)).toEqual([]);
    expect(compared.map(({ operation, after }) => ({ operation, after }))).toEqual(
      compared.map(({ operation, before }) => ({ operation, after: before })),
    );
  });

  const Schedules = z.array(z.object({ description: z.string() }));
  const schedules = async () =>
    Schedules.parse(
      await (
        await fetch(`${targetStack.services}${schedulesPath}`, {
          headers: targetStack.operatorHeaders,
        })
      ).json(),
    ).map(({ description }) => description);

  test("is searched, executed and reached by its webhooks in the new installation", async () => {
    const search = { query: "text", assetIds: [params.asset] };
    const found = await post(targetStack, `/v1/tenants/${own.slug}/assets:search`, search);
    expect(found).toEqual(
      await post(inject("stack"), `/v1/tenants/${own.slug}/assets:search`, search),
    );
    expect(found.status).toBe(200);
    const executed = await post(targetStack, `/v1/tenants/${own.slug}/agents/hello:execute`, {
      input: { name: "Grace" },
    });
    // A busy machine may respond before its end.
    expect([200, 202], executed.text).toContain(executed.status);
    const inbound = `/v1/tenants/${own.tenantId}/webhooks/generic/${params.webhook}/${key}`;
    expect((await post(targetStack, inbound, { a: 1 })).status).toBeLessThan(300);
    const deliveries = `/v1/tenants/${own.slug}/webhooks/${params.webhook}/deliveries`;
    const dispatched = { items: [{ status: "Dispatched" }, expect.anything()] };
    await expect.poll(() => get(targetStack, deliveries)).toMatchObject({ body: dispatched });
    const { executionId } = Executed.parse(JSON.parse(executed.text));
    const record = `/v1/tenants/${own.slug}/agents/hello/execution-records/${executionId}`;
    const succeeded = { body: { status: "Succeeded" } };
    await expect.poll(() => get(targetStack, record)).toMatchObject(succeeded);
    const agents = `/v1/tenants/${own.slug}/agents`;
    const steps = [{ id: "pause", type: "Wait", seconds: 86_400 }];
    await post(targetStack, agents, { id: "waits", displayName: "Waits" });
    await post(targetStack, `${agents}/waits/revisions`, { flow: { steps, edges: [] } });
    await post(targetStack, `${agents}/waits/revisions/1:deploy`, {});
    const waiting = await post(targetStack, `${agents}/waits:execute`, {});
    expect(waiting.status, waiting.text).toBe(202);
    await expect
      .poll(schedules)
      .toEqual([
        expect.stringContaining(`tenant ${own.tenantId}, agent hello,`),
        expect.stringContaining(`tenant ${own.tenantId}, execution `),
      ]);
  });

  test("is searched again after its vectors were lost and its asset was synchronized", async () => {
    const search = async () => {
      const body = { query: "text", assetIds: [params.asset] };
      return (await post(targetStack, `/v1/tenants/${own.slug}/assets:search`, body)).text;
    };
    const before = await search();
    for (const index of manifest.indexes) await deleteIndex(target, index);
    expect(await search()).not.toBe(before);
    expect(await markLostVectors(target, own.tenantId)).toEqual([
      { assetId: params.asset, documents: 1, lost: 1 },
    ]);
    const sync = `/v1/tenants/${own.slug}/assets/${params.asset}:sync`;
    expect((await post(targetStack, sync, undefined)).status).toBe(202);
    await expect.poll(search).toBe(before);
    expect(await markLostVectors(target, own.tenantId)).toEqual([]);
  });

  test("leaves nothing after a deletion that was killed several times, and does not touch its organization's other tenant", async () => {
    const inBucket = openFileStore(`s3://${source.bucket}/exports/second`, source.s3);
    const exported = await exportFrom(source, second, inBucket, { passphrase: undefined });
    expect(exported.omitted).toContainEqual(expect.stringContaining("event destinations"));
    await importTenant({ ...common, target, store: inBucket }, { passphrase: undefined });
    await exportFrom(target, second, storeIn("before"));
    const { deletion, left } = await runKilled((calls) => deleteFrom(failingPace(calls)));
    expect(deletion.finishedAt).not.toBeNull();
    // A message in flight may take a lease meanwhile.
    const { "slots of tenants": _, ...items } = left.items;
    expect({ ...left, items }).toEqual({
      items: {},
      expired: 0,
      objects: 0,
      vectors: 0,
      indexes: 0,
      schedules: 0,
    });
    expect(wrong(await verifyDeleted({ ...common, installation: target }, own.tenantId))).toEqual(
      [],
    );
    expect(await schedules()).toEqual([]);
    const Counts = z.object({ counts: z.record(z.string(), z.number()) });
    const before = Counts.parse(
      JSON.parse(readFileSync(join(directory, "before", "manifest.json"), "utf8")),
    );
    const after = await exportFrom(target, second, storeIn("after"));
    expect(listItems("after")).toEqual(listItems("before"));
    expect(after.counts).toEqual(before.counts);
    expect((await get(targetStack, `/v1/tenants/${second}/agents`)).status).toBe(200);
    const verified = runCommand("--verify", "--tenant", own.tenantId, "--local");
    expect(await verified.catch((error: unknown) => error)).toMatchObject({
      // After a line for the slot that a message in flight has taken, if any.
      stdout: expect.stringContaining("verified: all counts are right\n"),
    });
  });

  /** The keys of the exported items: secrets are encrypted again. */
  const listItems = (name: string): string[] => {
    const Line = z.object({ pk: z.object({ S: z.string() }), sk: z.object({ S: z.string() }) });
    return listFiles(join(directory, name))
      .filter((file) => file.startsWith("items/"))
      .flatMap((file) =>
        readFileSync(join(directory, name, file), "utf8")
          .trim()
          .split("\n"),
      )
      .map((line) => {
        const { pk, sk } = Line.parse(JSON.parse(line));
        return `${pk.S} ${sk.S}`;
      })
      .sort();
  };

  const runCommand = (...args: string[]) => {
    const env = { ...process.env, WHARF_DATA_DIR: targetStack.dataDir };
    return promisify(execFile)(process.execPath, ["infra/commands/tenant.ts", ...args], { env });
  };

  test("is not deleted without its name twice", async () => {
    await expect(
      runCommand("delete", "--tenant", second, "--confirm", "yes", "--local"),
    ).rejects.toMatchObject({ stderr: expect.stringContaining("--confirm must be the value") });
  });
});
