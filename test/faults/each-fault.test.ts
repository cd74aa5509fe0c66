import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isNightly } from "../harness/runs.ts";
import { killInBurst } from "./burst.ts";
import { faultNames } from "./fault-kinds.ts";
import { type FaultProxy, startFaultProxy } from "./fault-proxy.ts";
import { everyKindOnce } from "./injector.ts";
import { type Product, startProduct } from "./product.ts";
import type { Outcome } from "./report.ts";
import { checkAll, prepareAll, runWork } from "./run-work.ts";
import { scenarios } from "./scenarios/index.ts";
import { createWorld, type World } from "./world.ts";

/** One unit meets every kind of fault, and each place a throttle and a lost response; eight, most kinds at each place. */
const units = isNightly ? 8 : 1;
const unitsInBurst = 2;
const isPlanned = (name: string): boolean => name !== "delayed";

describe("with every kind of fault at every place that calls AWS", () => {
  let proxy: FaultProxy;
  let product: Product;
  let world: World;
  let works: Awaited<ReturnType<typeof prepareAll>>;
  let outcomes: Outcome[];
  const plan = everyKindOnce(faultNames.filter(isPlanned));

  beforeAll(async () => {
    proxy = await startFaultProxy();
    product = await startProduct(proxy);
    world = await createWorld(product);
    proxy.decide(plan.decide);
    works = await prepareAll(world, scenarios);
    const isLeft = (unit: number): boolean => unit < units;
    outcomes = await checkAll(
      world,
      works.map(({ name, work }) => ({
        work,
        done: runWork({ name, work }, { atOnce: 3, shouldContinue: isLeft }),
      })),
    );
  });
  afterAll(async () => {
    await world.close();
    await product.close();
    await proxy.close();
  });

  test.each(scenarios)("$name: nothing is lost, done twice or counted twice", ({ name }) => {
    expect(outcomes.find((outcome) => outcome.name === name)).toMatchObject({ broken: [], units });
  });

  test("no caller gets a 5xx but 503 with Retry-After, and no message becomes a dead letter", async () => {
    expect(world.wrongResponses).toEqual([]);
    expect(await world.deadLetters()).toEqual([]);
  });

  test("every place had a throttle and a lost response, and every kind of fault was injected", () => {
    const injected = new Set([...proxy.injected.keys()].map((name) => name.split(" / ")[0]));
    expect(faultNames.filter((name) => isPlanned(name) && !injected.has(name))).toEqual([]);
    const spared = [...plan.places].filter(([, left]) => left.includes("ThrottlingException"));
    expect(spared).toEqual([]);
  });

  if (!isNightly) return;
  describe("and with five kills in a row, closer together than leases, while every kind of work is in progress", () => {
    let killed: Outcome[];
    beforeAll(async () => {
      proxy.decide(() => undefined);
      world.effects.hold();
      const last = units + unitsInBurst;
      const working = works.map(({ name, work }) => ({
        work,
        done: runWork(
          { name, work },
          { atOnce: unitsInBurst, from: units, shouldContinue: (unit) => unit < last },
        ),
      }));
      await killInBurst(product);
      world.effects.release();
      killed = await checkAll(world, working);
    });

    test.each(scenarios)("$name: nothing is lost, overtaken or counted twice", ({ name }) => {
      const outcome = killed.find((candidate) => candidate.name === name);
      expect(outcome).toMatchObject({ broken: [], units: unitsInBurst });
    });

    test("no caller gets a 5xx but 503 with Retry-After, and no message becomes a dead letter", async () => {
      expect(world.wrongResponses).toEqual([]);
      expect(await world.deadLetters()).toEqual([]);
    });
  });
});
