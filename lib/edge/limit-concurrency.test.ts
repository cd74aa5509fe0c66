import { beforeAll, describe, expect, test, vi } from "vitest";
import { type TestDatabase, testDatabase } from "../../test/harness/table.ts";
import { testTenant } from "../../test/harness/tenant.ts";
import type { TenantSlots } from "../platform/slots/tenant-slots.ts";
import type { Slotted } from "./limit-concurrency.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});

/** Takes the slot of a call, and as many slots for streams as there are; returns their number. */
const countStreams = async (slots: number): Promise<number> => {
  vi.resetModules();
  vi.stubEnv("TENANT_CONCURRENCY", `${slots}`);
  const { limitConcurrency } = await import("./limit-concurrency.ts");
  const create = (_: unknown, { limit }: { limit: number }): TenantSlots => {
    let taken = 0;
    return {
      take: async () => {
        taken += 1;
        return taken > limit ? undefined : { release: async () => {} };
      },
    };
  };
  const link = limitConcurrency({ operation: "callMcp", slots: "call" }, create);
  const { tenant } = testTenant(db).ctx;
  const context: Partial<Slotted> = {};
  Object.assign(context, { database: () => db, tenant });
  await Reflect.apply(link.before ?? (() => {}), undefined, [{ context }]);
  expect(context.slot).toBeDefined();
  let count = 0;
  while (await context.takeStreamSlot?.()) count += 1;
  return count;
};

describe("long streams of a tenant", () => {
  test.each([
    [1, 0],
    [2, 1],
    [3, 1],
    [10, 5],
  ])("of %i slots take at most %i, so that calls have the others", async (slots, streams) => {
    expect(await countStreams(slots)).toBe(streams);
  });
});

test.each([
  [undefined, "for the tenant. Try again in 2 s."],
  ["Read the task instead", "for the tenant. Read the task instead, or try again in 2 s."],
])("the 429 of a row says what its client can do instead: %s", async (withoutSlot, end) => {
  const { limitConcurrency } = await import("./limit-concurrency.ts");
  const create = (): TenantSlots => ({ take: async () => undefined });
  const row = { operation: "followTask", slots: "call", withoutSlot } as const;
  const link = limitConcurrency(row, create);
  const context = { database: () => db, tenant: testTenant(db).ctx.tenant };
  const refused = Reflect.apply(link.before ?? (() => {}), undefined, [{ context }]);
  const message = `Too many calls of this operation are in progress ${end}`;
  await expect(refused).rejects.toMatchObject({ slug: "rate-limit-exceeded", message });
});

describe("the slot of a call", () => {
  const run = async (background: Promise<void>[]) => {
    const { limitConcurrency } = await import("./limit-concurrency.ts");
    const release = vi.fn(async () => {});
    const create = (): TenantSlots => ({ take: async () => ({ release }) });
    const link = limitConcurrency({ operation: "callMcp", slots: "call" }, create);
    const { tenant } = testTenant(db).ctx;
    const context: Partial<Slotted> = { background };
    Object.assign(context, { database: () => db, tenant });
    await Reflect.apply(link.before ?? (() => {}), undefined, [{ context }]);
    await Reflect.apply(link.after ?? (() => {}), undefined, [{ context }]);
    return release;
  };

  test("is free once the response is due, where the work has ended", async () => {
    expect(await run([Promise.resolve()])).toHaveBeenCalledOnce();
    expect(await run([])).toHaveBeenCalledOnce();
  });

  test("is held until the work after the response has ended, also when it fails", async () => {
    const { promise, reject } = Promise.withResolvers<void>();
    const background = [promise];
    const release = await run(background);
    expect(release).not.toHaveBeenCalled();
    reject(new Error("failed"));
    await Promise.allSettled(background);
    expect(release).toHaveBeenCalledOnce();
  });
});
