import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { faultNames } from "./fault-kinds.ts";
import { type FaultProxy, startFaultProxy } from "./fault-proxy.ts";
import { inTurn } from "./injector.ts";
import { type Product, startProduct } from "./product.ts";
import { checkWork, runWork } from "./run-work.ts";
import { scenarios } from "./scenarios/index.ts";
import { createWorld, type World } from "./world.ts";

const units = 8;

describe("with a fault in every second call of each place in the code", () => {
  let proxy: FaultProxy;
  let product: Product;
  let world: World;

  beforeAll(async () => {
    proxy = await startFaultProxy();
    product = await startProduct(proxy);
    world = await createWorld(product);
    proxy.decide(inTurn());
  }, 120_000);
  afterAll(async () => {
    await world.close();
    await product.close();
    await proxy.close();
  });

  for (const scenario of scenarios) {
    test(`${scenario.name}: nothing is lost, done twice or counted twice`, async () => {
      const work = await scenario.prepare(world);
      const goesOn = (unit: number) => unit < units;
      const done = await runWork({ name: scenario.name, work }, { atOnce: 4, goesOn });
      expect((await checkWork(work, done)).broken).toEqual([]);
    });
  }

  test("no caller gets a 5xx but 503 with Retry-After, and every kind of fault was injected", () => {
    expect(world.wrongResponses).toEqual([]);
    const injected = new Set([...proxy.injected.keys()].map((name) => name.split(" / ")[0]));
    expect(faultNames.filter((name) => !injected.has(name))).toEqual([]);
  });
});
