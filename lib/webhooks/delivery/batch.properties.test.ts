import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Attempted, dispatchAlone, dispatchBatch } from "../../../test/harness/deliveries.ts";
import {
  copyItems,
  type DeliveryBatches,
  testDeliveryBatches,
} from "../../../test/harness/delivery-batches.ts";
import { propertyRuns } from "../../../test/harness/runs.ts";
import { type TestDatabase, testDatabase } from "../../../test/harness/table.ts";
import { listOpenExecutions } from "../../executions/lease/list-open.ts";
import { batchSortKey } from "../../executions/record/keys.ts";
import { packValue } from "../../platform/db/large-value.ts";
import { NotifySubscriberMessage } from "../messages.ts";
import { startedId } from "./started-id.ts";

/** A delivery of a batch: of a tenant, perhaps a duplicate by its id or body, large, or the message of one before it. */
const Sent = fc.record({
  tenant: fc.nat({ max: 1 }),
  deliveryId: fc.constantFrom("a", "b", "c", null),
  signedBody: fc.constantFrom("x", "y", undefined),
  payload: fc.constantFrom(0, 1, 2),
  isLarge: fc.boolean(),
  repeats: fc.option(fc.nat({ max: 9 }), { nil: undefined, freq: 4 }),
});
const manySent = fc.array(Sent, { minLength: 1, maxLength: 10 });
type Sent = typeof Sent extends fc.Arbitrary<infer Value> ? Value : never;

describe("a batch of deliveries", () => {
  let db: TestDatabase;
  /** Gives each run a table of its own: its items are copied and compared. */
  const renewTable = async (): Promise<void> => {
    db?.client.destroy();
    db = await testDatabase();
  };

  /** Creates tenants with subscriptions that take, skip and fail deliveries. */
  const createTenants = async (count: number, isQueued: boolean) => {
    const worlds: DeliveryBatches[] = [];
    for (let at = 0; at < count; at += 1) {
      const world = await testDeliveryBatches(db, { isQueued });
      await world.subscribe({ filter: "payload = 1" });
      await world.subscribe({ input: { event: "{% payload = 2 ? $error('no') : {} %}" } });
      worlds.push(world);
    }
    return worlds;
  };
  const acceptAll = async (worlds: readonly DeliveryBatches[], sent: readonly Sent[]) => {
    const messages: Attempted["message"][][] = worlds.map(() => []);
    for (const [at, { tenant, isLarge, repeats, signedBody, ...rest }] of sent.entries()) {
      const world = worlds[tenant % worlds.length];
      const own = messages[tenant % worlds.length];
      if (!world || !own) continue;
      world.tenant.advance(1);
      const earlier = repeats === undefined ? undefined : own[repeats % Math.max(1, own.length)];
      if (isLarge) await packValue({ n: rest.payload }, `large-${at}`, world.deps.objects, 0);
      const object = isLarge ? { object: `large-${at}` } : {};
      const more = signedBody === undefined ? {} : { signedBody };
      own.push(earlier ? { ...earlier } : world.accept({ ...rest, ...object, ...more }));
    }
    return messages;
  };
  const ofWorlds = async (table: TestDatabase, worlds: readonly DeliveryBatches[]) =>
    (await table.scan()).filter(({ pk }) =>
      worlds.some(({ tenantId }) => String(pk).includes(tenantId)),
    );
  const isUsage = ({ pk }: Record<string, unknown>) => String(pk).includes("#USAGE#");
  /** Executions that are counted, which are spread over several counters. */
  const countIn = async (table: TestDatabase, worlds: readonly DeliveryBatches[]) =>
    (await ofWorlds(table, worlds)).filter(isUsage).reduce((sum, { n }) => sum + Number(n), 0);
  /** Without counters, and how recovery finds executions, which differs for those that were queued together. */
  const itemsIn = async (table: TestDatabase, worlds: readonly DeliveryBatches[]) =>
    (await ofWorlds(table, worlds))
      .filter((item) => item.sk !== batchSortKey && !isUsage(item))
      .map((item) => {
        if (!String(item.sk).startsWith("EXEC#")) return item;
        const { gsi1pk, gsi1sk, ...rest } = item;
        return rest;
      })
      .toSorted((one, other) => (`${one.pk} ${one.sk}` < `${other.pk} ${other.sk}` ? -1 : 1));
  /** Ids of the executions in the table that have not ended, and of those that recovery finds. */
  const findExecutions = async (table: TestDatabase, worlds: readonly DeliveryBatches[]) => {
    const found: string[] = [];
    for await (const { item } of listOpenExecutions(table)) {
      if (worlds.some(({ tenantId }) => tenantId === item.tenantId)) found.push(item.id);
    }
    const open = (await ofWorlds(table, worlds)).flatMap(({ pk, sk, endTime = null }) =>
      /#EXEC#\d$/.test(String(pk)) && endTime === null ? [String(sk).slice("EXEC#".length)] : [],
    );
    return { open: open.toSorted(), found: [...new Set(found)].toSorted() };
  };

  test("of any mix of duplicates and tenants leaves the same items and the same runs as its messages one by one, and recovery finds each of them", {
    tags: "nightly",
  }, async () => {
    await fc.assert(
      fc.asyncProperty(manySent, fc.boolean(), async (sent, isQueued) => {
        await renewTable();
        const worlds = await createTenants(2, isQueued);
        const messages = await acceptAll(worlds, sent);
        const alone = await testDatabase();
        await copyItems(db, alone);
        const tenants = messages.filter((own) => own.length > 0).length;
        const batches = worlds.map((world, at) =>
          dispatchBatch(
            world.deps,
            (messages[at] ?? []).map((message) => ({ message, attempt: 1 })),
            { tenants },
          ),
        );
        for (const outcomes of await Promise.all(batches)) {
          for (const { status } of outcomes) expect(status).toBe("fulfilled");
        }
        // A large delivery has its turn after the others of its batch.
        const listAll = () =>
          worlds.map(({ listRuns }) =>
            listRuns().toSorted((one, other) => (one.executionId < other.executionId ? -1 : 1)),
          );
        const inBatch = listAll();
        for (const [at, world] of worlds.entries()) {
          world.sent.length = 0;
          for (const message of messages[at] ?? []) {
            await dispatchAlone({ ...world.deps, db: alone }, { message, attempt: 1 });
          }
        }
        expect(await itemsIn(db, worlds)).toEqual(await itemsIn(alone, worlds));
        expect(await countIn(db, worlds)).toBe(await countIn(alone, worlds));
        for (const table of [db, alone]) {
          const { open, found } = await findExecutions(table, worlds);
          expect(found).toEqual(open);
        }
        expect(inBatch).toEqual(listAll());
        alone.client.destroy();
      }),
      { numRuns: propertyRuns(100, 15) },
    );
  });

  test("of any mix, although any call fails, dispatches each delivery once and runs each of its agents once, which recovery finds", {
    tags: "nightly",
  }, async () => {
    const failure = fc.record({
      command: fc.constantFrom(
        "Query",
        "BatchGetItem",
        "GetItem",
        "PutItem",
        "BatchExecuteStatement",
        "TransactWriteItems",
      ),
      passing: fc.nat({ max: 3 }),
    });
    const spoiled = fc.option(fc.nat({ max: 9 }), { nil: undefined });
    await fc.assert(
      fc.asyncProperty(
        manySent,
        fc.array(failure, { maxLength: 3 }),
        spoiled,
        fc.boolean(),
        async (sent, failures, statement, isQueued) => {
          await renewTable();
          const worlds = await createTenants(1, isQueued);
          const [world] = worlds;
          if (!world) throw new Error("there is no tenant");
          const [messages = []] = await acceptAll(worlds, sent);
          for (const { command, passing } of failures) db.failNext(command, passing);
          if (statement !== undefined) db.spoilNext(statement);
          let left = messages.map((message): Attempted => ({ message, attempt: 1 }));
          for (let attempt = 1; left.length > 0; attempt += 1) {
            if (attempt > 2) db.clearFailures();
            const outcomes = await dispatchBatch(world.deps, left);
            left = left
              .filter((_, at) => outcomes[at]?.status === "rejected")
              .map(({ message }) => ({ message, attempt: attempt + 1 }));
          }
          db.clearFailures();
          const executions = await findExecutions(db, worlds);
          expect(executions.found).toEqual(executions.open);
          const stored = await world.listStored();
          const dispatched = stored.filter(({ status }) => status === "Dispatched");
          expect(stored.map(({ id }) => id).toSorted()).toEqual(
            [...new Set(messages.map(({ id }) => id))].toSorted(),
          );
          const claims = dispatched.flatMap(({ id, deliveryId }) => {
            const content = messages.find((message) => message.id === id)?.content;
            return [deliveryId, content?.signedBody ?? null].filter((claim) => claim !== null);
          });
          expect(new Set(claims).size).toBe(claims.length);
          const wanted = dispatched.flatMap(({ id, targets }) =>
            targets.flatMap(({ subscriptionId, status }) =>
              status === undefined ? [startedId({ id, subscriptionId })] : [],
            ),
          );
          const singles = world.sent.flatMap(({ queue, message }) =>
            queue === "subscribers" ? [startedId(NotifySubscriberMessage.parse(message))] : [],
          );
          const records = await world.list("a");
          const started = records.map(({ id }) => id);
          expect(new Set([...started, ...singles])).toEqual(new Set(wanted));
          const queued = new Set(world.listRuns().map(({ executionId }) => executionId));
          // An execution that is queued after a failure may have ended.
          const ended = started.filter((id) => !executions.open.includes(id));
          expect(new Set([...queued, ...ended])).toEqual(new Set(started));
          expect(isQueued ? ended : []).toEqual([]);
          expect((await world.counted("a")).executions).toBe(ended.length);
        },
      ),
      { numRuns: propertyRuns(200, 25) },
    );
  });
});
