import { setTimeout as sleep } from "node:timers/promises";
import { killInBurst } from "./burst.ts";
import { startFaultProxy } from "./fault-proxy.ts";
import { atRandom } from "./injector.ts";
import { startProduct } from "./product.ts";
import { createRandom } from "./random.ts";
import { formatReport } from "./report.ts";
import { checkAll, prepareAll, runWork } from "./run-work.ts";
import { scaleWait } from "./scale-wait.ts";
import { scenarios } from "./scenarios/index.ts";
import { createWorld } from "./world.ts";

const minutes = Number(process.env.MINUTES ?? 3);
const share = Number(process.env.SHARE ?? 0.05);
const seed = Number(process.env.SEED ?? Date.now() % 1_000_000);
/** Between kills, in milliseconds. */
const shortestLifeMs = scaleWait(15_000);
const longestLifeMs = scaleWait(45_000);

console.log(`Storm of ${minutes} minutes, a fault in ${share * 100} % of the calls. SEED=${seed}`);
const random = createRandom(seed);
const proxy = await startFaultProxy();
const product = await startProduct(proxy);
const world = await createWorld(product);
const works = await prepareAll(world, scenarios);
const end = Date.now() + minutes * 60_000;
let isOver = false;

/** Kills the product, every third time in a burst while the work in progress waits. */
const killAgain = async (): Promise<void> => {
  const kills = createRandom(seed + 1);
  for (let time = 1; ; time += 1) {
    await sleep(shortestLifeMs + kills.next() * (longestLifeMs - shortestLifeMs));
    if (isOver) return;
    if (time % 3 !== 0) await product.killAndRestart();
    else {
      world.effects.hold();
      await killInBurst(product);
      world.effects.release();
    }
    console.log(`killed and restarted ${product.kills()} times`);
  }
};

proxy.decide(atRandom(random, share));
const killing = process.env.KILL === "false" ? Promise.resolve() : killAgain();
const working = works.map(({ name, work }) => ({
  work,
  done: runWork({ name, work }, { atOnce: 3, shouldContinue: () => Date.now() < end }),
}));
await Promise.all(working.map(({ done }) => done));
isOver = true;
await killing;
proxy.decide(() => undefined);
const outcomes = await checkAll(world, working);
const responses = {
  name: "no 5xx but 503 with Retry-After",
  units: outcomes.reduce((sum, { units }) => sum + units, 0),
  broken: [...new Set(world.wrongResponses)],
};
const deadLetters = { name: "no dead letters", units: 0, broken: await world.deadLetters() };
const all = [...outcomes, responses, deadLetters];
console.log(formatReport(proxy.injected, all, product.kills()));
console.log(`SEED=${seed}`);
await world.close();
await product.close();
await proxy.close();
process.exit(all.every(({ broken }) => broken.length === 0) ? 0 : 1);
