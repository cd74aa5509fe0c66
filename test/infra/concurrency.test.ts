import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import {
  callerConcurrency,
  callerSlots,
  deriveTenantConcurrency,
  queueConcurrency,
} from "../../infra/functions/concurrency.ts";
import { product } from "../../infra/functions/product.ts";
import { type Config, readConfig } from "../../infra/settings/config.ts";
import { constructId } from "../../infra/settings/names.ts";
import { findLambda, type Synthesized, synthesized } from "./synthesized.ts";

let stacks: Synthesized;
beforeAll(async () => {
  stacks = await synthesized();
});

const total = (shares: ReadonlyMap<string, number>): number =>
  [...shares.values()].reduce((sum, share) => sum + share, 0);
const withQuota = (quota: number): Config => readConfig({ ACCOUNT_CONCURRENCY: String(quota) });
const quotas = [56, 100, 134, 500, 1_000, 3_000, 10_000, 999_999];

const Mapping = z.object({
  FunctionName: z.unknown(),
  ScalingConfig: z.object({ MaximumConcurrency: z.int().min(2).max(1_000) }),
});
/** The maximum of each queue's functions, and of those of one tenant, in the templates. */
const maximaIn = (of: Synthesized) =>
  product.workers.map(({ name, queue }) => {
    const mapping = of
      .resources("AWS::Lambda::EventSourceMapping")
      .map(({ Properties }) => Mapping.parse(Properties))
      .find(({ FunctionName }) => JSON.stringify(FunctionName).includes(constructId(name)));
    return {
      queue,
      all: mapping?.ScalingConfig.MaximumConcurrency ?? 0,
      tenant: Number(findLambda(of, name).environment.TENANT_CONCURRENCY),
    };
  });

/** Queues with messages that may take five minutes or longer. */
const slowQueues: readonly string[] = product.workers
  .filter(({ timeoutSeconds }) => timeoutSeconds >= 300)
  .map(({ queue }) => queue);

describe("the queues", () => {
  test("have at most half of the account's concurrency in the templates, most of it for executions and chats", {
    tags: "nightly",
  }, () => {
    const maxima = maximaIn(stacks);
    const sum = maxima.reduce((all, maximum) => all + maximum.all, 0);
    expect(sum).toBeLessThanOrEqual(500);
    expect(sum).toBeGreaterThan(450);
    const of = (queue: string) => maxima.find((maximum) => maximum.queue === queue)?.all ?? 0;
    expect(of("executions")).toBeGreaterThanOrEqual(200);
    expect(of("chats")).toBeGreaterThanOrEqual(90);
  });

  test.each(quotas)(
    "share at most half of a quota of %i, with at least two functions per queue",
    (quota) => {
      const shares = queueConcurrency(product.workers, withQuota(quota));
      expect(total(shares)).toBeLessThanOrEqual(quota / 2);
      for (const [name, share] of shares) {
        expect(share, name).toBeGreaterThanOrEqual(2);
        expect(share, name).toBeLessThanOrEqual(1_000);
      }
      expect(shares.get("notify-collaborator")).toBe(2);
      expect(shares.get("start-scheduled")).toBeLessThanOrEqual(10);
    },
  );

  test("leave half of a queue's functions to other tenants, and three quarters where work takes minutes", () => {
    for (const { queue, all, tenant } of maximaIn(stacks)) {
      expect(tenant, queue).toBeGreaterThanOrEqual(1);
      expect(tenant, queue).toBeLessThanOrEqual(all / (slowQueues.includes(queue) ? 4 : 2));
    }
  });

  test("work on while five tenants have slow judges, experiments and sources, as many as they may", () => {
    for (const { queue, all, tenant } of maximaIn(stacks)) {
      const isSlow = ["evaluations", "experiments", "syncs"].includes(queue);
      if (isSlow) expect(all - 5 * tenant, queue).toBeGreaterThan(0);
    }
  });

  test.each(quotas)(
    "leave three quarters of slow work with a quota of %i to other tenants",
    (quota) => {
      const config = withQuota(quota);
      const shares = queueConcurrency(product.workers, config);
      for (const worker of product.workers) {
        const share = shares.get(worker.name) ?? 0;
        const most = Math.max(1, share / (slowQueues.includes(worker.queue) ? 4 : 2));
        expect(deriveTenantConcurrency(worker, share, config), worker.name).toBeLessThanOrEqual(
          most,
        );
      }
    },
  );

  test("are limited by settings, and one tenant always to less than the queue", {
    tags: "nightly",
  }, async () => {
    for (const { queue, all, tenant } of maximaIn(await synthesized("settings"))) {
      expect([all, tenant], queue).toEqual(queue === "mails" ? [2, 1] : [4, 3]);
    }
  });

  test("may be fed by their own consumers, which are exempt from loop detection", () => {
    const exempt = stacks
      .resources("AWS::Lambda::Function")
      .filter(({ Properties }) => Properties.RecursiveLoop === "Allow")
      .map(({ Properties }) => Properties.FunctionName);
    expect(exempt.sort()).toEqual(product.workers.map(({ name }) => `Wharf-${name}`).sort());
    const alarms = stacks
      .resources("AWS::CloudWatch::Alarm")
      .map((resource) => JSON.stringify(resource));
    const watching = alarms.filter((alarm) => alarm.includes("RecursiveInvocationsDropped")).join();
    for (const name of exempt) expect(watching).toContain(`"Value":"${name}"`);
  });

  test("have the functions that docs/deploying.md lists", { tags: "nightly" }, () => {
    const page = readFileSync(join(import.meta.dirname, "../../docs/deploying.md"), "utf8");
    const rows = page.matchAll(/^\| `([a-z]+)` +\|[^|]+\| ([0-9]+) +\| ([0-9]+) +\|$/gm);
    const listed = [...rows].map(([, queue, all, tenant]) => ({
      queue,
      all: Number(all),
      tenant: Number(tenant),
    }));
    const byQueue = (left: { queue?: string }, right: { queue?: string }) =>
      String(left.queue).localeCompare(String(right.queue));
    expect(listed.sort(byQueue)).toEqual(maximaIn(stacks).sort(byQueue));
  });
});

describe("functions that keep callers waiting", () => {
  const reservedIn = (of: Synthesized) =>
    of
      .resources("AWS::Lambda::Function")
      .filter(({ Properties }) => Properties.ReservedConcurrentExecutions !== undefined);

  const waiting = product.http.filter(({ rows }) => rows.some(({ slots }) => slots));

  /** Functions that also have short calls, which must not wait for a place. */
  const isMixed = ({ rows }: (typeof waiting)[number]) => rows.some(({ slots }) => !slots);

  test("have a reserved concurrency, those that call other systems for seconds included, unless they have short calls, too; the others none", () => {
    expect(
      reservedIn(stacks)
        .map(({ Properties }) => Properties.FunctionName)
        .sort(),
    ).toEqual(
      waiting
        .filter((member) => !isMixed(member))
        .map(({ name }) => `Wharf-${name}`)
        .sort(),
    );
    expect(waiting.filter(isMixed).map(({ name }) => name)).toContain("get-or-follow-a2a-task");
    expect(waiting.filter(({ timeoutSeconds }) => timeoutSeconds <= 29)).not.toEqual([]);
    const long = product.http.filter(({ timeoutSeconds }) => timeoutSeconds > 29);
    expect(waiting).toEqual(expect.arrayContaining(long));
    const reservedFor = (name: string) =>
      Number(
        reservedIn(stacks).find(({ Properties }) => String(Properties.FunctionName).endsWith(name))
          ?.Properties.ReservedConcurrentExecutions,
      );
    const openai = reservedFor("create-response") + reservedFor("create-chat-completion");
    const execute = reservedFor("execute-agent-or-test-draft");
    expect(execute).toBeGreaterThan(100);
    expect(execute + openai).toBeGreaterThan(150);
  });

  test("leave two thirds of themselves to other tenants, three quarters where calls take minutes", () => {
    for (const { name, timeoutSeconds } of waiting.filter((member) => !isMixed(member))) {
      const fn = reservedIn(stacks).find(
        ({ Properties }) => Properties.FunctionName === `Wharf-${name}`,
      );
      const all = Number(fn?.Properties.ReservedConcurrentExecutions);
      const slots = Number(findLambda(stacks, name).environment.TENANT_CONCURRENCY);
      expect(slots, name).toBeGreaterThanOrEqual(1);
      expect(slots, name).toBeLessThanOrEqual(all / (timeoutSeconds > 29 ? 4 : 3));
    }
  });

  test.each(quotas)("have slots for each tenant with a quota of %i, reserved or not", (quota) => {
    const slots = callerSlots(product.http, withQuota(quota));
    expect([...slots.keys()].sort()).toEqual(waiting.map(({ name }) => name).sort());
    for (const [name, share] of slots) expect(share, name).toBeGreaterThanOrEqual(1);
  });

  test.each([10, 56, 120])(
    "reserve nothing with a quota of %i, which Lambda would refuse",
    (quota) => {
      const config = { ...withQuota(56), ACCOUNT_CONCURRENCY: quota };
      expect(callerConcurrency(product.http, config)).toEqual(new Map());
    },
  );

  test.each(quotas)(
    "have at most three eighths of a quota of %i, and leave Lambda's 100",
    (quota) => {
      const reserved = callerConcurrency(product.http, withQuota(quota));
      expect(total(reserved)).toBeLessThanOrEqual((quota * 3) / 8);
      if (reserved.size > 0) expect(quota - total(reserved)).toBeGreaterThanOrEqual(100);
      for (const [name, share] of reserved) expect(share, name).toBeGreaterThanOrEqual(1);
      if (quota >= 500) expect(reserved.size).toBeGreaterThan(0);
    },
  );
});

test("an alarm fires before the account's concurrency is used up", () => {
  const alarm = stacks
    .resources("AWS::CloudWatch::Alarm")
    .find(({ Properties }) => Properties.MetricName === "ConcurrentExecutions");
  expect(alarm?.Properties).toMatchObject({ Threshold: 800, Statistic: "Maximum" });
});
