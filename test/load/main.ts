import { setTimeout as sleep } from "node:timers/promises";
import { median, quantile } from "../bench/statistics.ts";
import { faultKinds } from "../faults/fault-kinds.ts";
import { startFaultProxy } from "../faults/fault-proxy.ts";
import { startProduct } from "../faults/product.ts";
import { createRandom } from "../faults/random.ts";
import { createWorld } from "../faults/world.ts";
import { createLoadTenant, type LoadTenant, type TenantOutcome } from "./load-tenant.ts";

/*
 * Sends deliveries to the webhooks of many tenants at the same time, while AWS throttles calls and the product is terminated.
 * Each accepted delivery must have one execution, and no tenant may wait longer than the others. See docs/faults.md.
 */

const read = (name: string, otherwise: number): number => Number(process.env[name] ?? otherwise);
const tenantCount = read("TENANTS", 100);
const webhooksPerTenant = read("WEBHOOKS", 10);
const total = read("DELIVERIES", 100_000);
const connections = read("CONNECTIONS", 20);
const killEveryMs = read("KILL_SECONDS", 60) * 1_000;
const share = read("SHARE", 0.01);
const seed = read("SEED", Date.now() % 1_000_000);
const throttles = ["ThrottlingException", "ProvisionedThroughputExceededException"] as const;
/** A run that was terminated is continued when its lease of 40 s is over. */
const settleMs = 600_000;

const random = createRandom(seed);
const proxy = await startFaultProxy();
const product = await startProduct(proxy);
const world = await createWorld(product);
const tenants: LoadTenant[] = [];
for (let at = 0; at < tenantCount; at += 1) {
  tenants.push(await createLoadTenant(world, webhooksPerTenant));
}
console.log(
  `${total} deliveries to ${tenantCount} tenants with ${webhooksPerTenant} webhooks each, ${connections} at once. SEED=${seed}`,
);
proxy.decide((call) => {
  if (random.next() >= share) return undefined;
  const fitting = throttles.filter((name) => faultKinds[name].fits(call));
  return fitting.length > 0 ? random.pick(fitting) : undefined;
});

let isOver = false;
const killAgain = async (): Promise<void> => {
  for (;;) {
    await sleep(killEveryMs);
    if (isOver) return;
    await product.killAndRestart();
  }
};
const killing = killAgain();
const startedAt = Date.now();
let next = 0;
const work = async (): Promise<void> => {
  while (next < total) {
    const n = next;
    next += 1;
    // Each tenant sends as many as the others; the webhooks of a tenant take turns.
    await tenants[n % tenants.length]?.deliver(Math.floor(n / tenants.length));
  }
};
await Promise.all(Array.from({ length: connections }, work));
const acceptedAfter = (Date.now() - startedAt) / 1_000;
isOver = true;
await killing;
proxy.decide(() => undefined);

const until = Date.now() + settleMs;
const perTenant = total / tenants.length;
for (const { countEnded } of tenants) {
  while ((await countEnded()) < Math.floor(perTenant) && Date.now() < until) await sleep(1_000);
}
const endedAfter = (Date.now() - startedAt) / 1_000;

const outcomes: TenantOutcome[] = [];
for (const { readOutcome } of tenants) outcomes.push(await readOutcome());
const sum = (name: "accepted" | "lost" | "twice" | "failed") =>
  outcomes.reduce((all, outcome) => all + outcome[name], 0);
const slowest = outcomes.map(({ latencies }) => quantile(latencies, 0.95));
const [usual, worst] = [median(slowest), Math.max(...slowest)];
const deadLetters = await world.deadLetters();
const deadByQueue = Object.groupBy(deadLetters, (letter) => letter.split(":", 1)[0] ?? "");
for (const [queue, letters = []] of Object.entries(deadByQueue)) {
  console.log(`${letters.length} dead letters in ${queue}, such as ${letters[0]?.slice(0, 500)}`);
}
console.table({
  "accepted deliveries": sum("accepted"),
  lost: sum("lost"),
  "executed twice": sum("twice"),
  "executions that did not succeed": sum("failed"),
  "responses that violate a guarantee": world.wrongResponses.length,
  "dead letters": deadLetters.length,
  "throttled calls": [...proxy.injected.values()].reduce((all, count) => all + count, 0),
  terminations: product.kills(),
  "accepted per second": Math.round(sum("accepted") / acceptedAfter),
  "seconds until all had ended": Math.round(endedAfter),
  "p95 of the median tenant, ms": Math.round(usual),
  "p95 of the slowest tenant, ms": Math.round(worst),
  "slowest to median": Number((worst / usual).toFixed(2)),
});
await world.close();
await product.close();
await proxy.close();
const isWhole = sum("lost") + sum("twice") + sum("failed") === 0 && sum("accepted") === total;
process.exit(isWhole && world.wrongResponses.length === 0 && worst <= 2 * usual ? 0 : 1);
