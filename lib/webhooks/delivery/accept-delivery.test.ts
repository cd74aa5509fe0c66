import { createHmac } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { type TestDatabase, testDatabase } from "../../../test/harness/table.ts";
import { testTenant } from "../../../test/harness/tenant.ts";
import { createWebhook } from "../webhook/create-webhook.ts";
import { acceptDelivery } from "./accept-delivery.ts";

const limits = { requests: 100, unauthenticatedRequests: 3, windowSeconds: 60 };

/** Headers that record which of them were read. */
const recordedHeaders = (headers: Record<string, string>) => {
  const read: string[] = [];
  const values = new Map(Object.entries(headers).map(([name, value]) => [name, [value]]));
  const get = (name: string) => {
    read.push(name);
    return values.get(name);
  };
  return { read, headers: Object.assign(new Map(values), { get }) };
};

describe("a delivery at a signed address", () => {
  let db: TestDatabase;

  beforeAll(async () => {
    db = await testDatabase();
  });

  const start = async (provider = "github") => {
    const { ctx, deps: storage } = testTenant(db);
    const deps = { ...storage, limits, prefixes: { prefix: "wharf", earlierPrefixes: [] } };
    const webhook = await createWebhook(storage, {
      ctx: { ...ctx, baseUrl: "http://localhost" },
      body: { provider },
    });
    const deliver = (signature: string | undefined, { body = "a&".repeat(1_000) } = {}) => {
      const { headers, read } = recordedHeaders({
        "content-type": "application/x-www-form-urlencoded",
        ...(signature !== undefined && { "x-hub-signature-256": signature }),
      });
      const accepted = acceptDelivery(deps, {
        tenant: ctx.tenant,
        provider,
        id: webhook.id,
        hasKey: false,
        request: { method: "POST", headers, query: {}, body: Buffer.from(body) },
        countUnknown: async () => undefined,
        runtime: ctx,
      });
      return { accepted, read };
    };
    const sign = (body: string) =>
      `sha256=${createHmac("sha256", webhook.signingSecret ?? "")
        .update(body)
        .digest("hex")}`;
    return { deliver, sign };
  };
  const parsed = "content-type";

  test("is parsed once its signature was verified, and not before", async () => {
    const { deliver, sign } = await start();
    const { accepted, read } = deliver(sign("a=1"), { body: "a=1" });
    await expect(accepted).resolves.toMatchObject({ response: { status: 204 } });
    expect(read.indexOf("x-hub-signature-256")).toBeGreaterThanOrEqual(0);
    expect(read.indexOf(parsed)).toBeGreaterThan(read.indexOf("x-hub-signature-256"));
  });

  test.each([
    ["wrong", "sha256=00"],
    ["missing", undefined],
  ])("is never parsed when its signature is %s", async (_, signature) => {
    const { deliver } = await start();
    const { accepted, read } = deliver(signature);
    await expect(accepted).rejects.toMatchObject({ slug: "unauthenticated" });
    expect(read).not.toContain(parsed);
  });

  test("that may be a check of the address is parsed unsigned only while it is small", async () => {
    const { deliver } = await start("slack");
    const small = deliver(undefined);
    await expect(small.accepted).rejects.toMatchObject({ slug: "unauthenticated" });
    expect(small.read).toContain(parsed);
    const large = deliver(undefined, { body: "a&".repeat(10_000) });
    await expect(large.accepted).rejects.toMatchObject({ slug: "unauthenticated" });
    expect(large.read).not.toContain(parsed);
  });

  test("costs two storage calls in addition to the queue", async () => {
    const { deliver, sign } = await start();
    await deliver(sign("{}"), { body: "{}" }).accepted;
    db.calls.length = 0;
    await deliver(sign("{}"), { body: "{}" }).accepted;
    expect(db.calls).toEqual(["GetItem", "UpdateItem"]);
  });
});
