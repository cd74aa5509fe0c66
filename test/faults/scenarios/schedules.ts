import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import * as z from "zod";
import { credentialsFor, tokenHeader } from "../../../infra/local/access/credentials.ts";
import { operator } from "../../../infra/local/operator.ts";
import { schedulesPath } from "../../../infra/local/storage/endpoint.ts";
import {
  appears,
  leftovers,
  listRecords,
  type Scenario,
  settled,
  stillOpen,
  unsuccessful,
} from "../scenario.ts";
import type { World } from "../world.ts";

const Schedules = z.array(z.looseObject({ description: z.string(), due: z.int() }));
const Report = z.object({ failed: z.int() });
const hourMs = 3_600_000;
const pauseMs = 100;
const timeoutMs = 300_000;

/**
 * Calls the schedules of the product until it responds: a killed product is away for some seconds.
 */
const callSchedules = async (world: World, request: RequestInit): Promise<unknown> => {
  for (const end = Date.now() + timeoutMs; Date.now() < end; ) {
    const { services, secret } = world.product.address();
    const headers = { [tokenHeader]: credentialsFor(secret, operator).sessionToken };
    try {
      const response = await fetch(services + schedulesPath, { ...request, headers });
      if (response.ok) return await response.json();
    } catch {
      // Not there; asked again below.
    }
    await sleep(pauseMs);
  }
  throw new Error("the schedules got no answer");
};

/**
 * A job policy that is due every hour and runs once per hour, however often it is fired. Its
 * timeout leaves room for several recoveries, which take two minutes after a worker was killed.
 */
export const schedules: Scenario = {
  name: "schedules",
  prepare: async (world) => {
    const tenant = await world.newTenant();
    await tenant.deployAgent("clerk", {
      parametersMetadata: [{ name: "prompt", type: "String", required: true }],
      flow: { steps: [{ id: "out", type: "Output", value: "{% input.prompt %}" }], edges: [] },
      jobPolicyConfigs: [
        {
          id: randomUUID(),
          scheduleFrequency: "hourly",
          scheduleMinute: "5",
          timezone: "UTC",
          prompt: "Good morning",
          timeout: 900,
        },
      ],
    });
    const due = async (): Promise<number | undefined> => {
      const all = Schedules.parse(await callSchedules(world, { method: "GET" }));
      return all.find(({ description }) => description.includes(`tenant ${tenant.id},`))?.due;
    };
    const fired = new Set<number>();
    let first: number | undefined;
    await settled(async () => {
      first = await due();
      return first === undefined ? ["no schedule"] : [];
    });
    return {
      tenantId: tenant.id,
      act: async (n) => {
        const until = (first ?? 0) + n * hourMs;
        const request = { method: "POST", body: JSON.stringify({ until }) };
        const { failed } = Report.parse(await callSchedules(world, request));
        if (failed > 0) throw new Error(`${failed} firings were not sent`);
        fired.add(until);
        await appears(async () => (await listRecords(tenant, "clerk", until)).length > 0);
      },
      check: async () => {
        const broken = await settled(async () => {
          const records = await listRecords(tenant, "clerk");
          const times = new Set(records.map(({ startTime }) => startTime));
          return [
            ...(await leftovers(world, tenant.id)),
            ...[...fired]
              .filter((time) => !times.has(time))
              .map((time) => `lost: firing of ${time}`),
            ...stillOpen(records),
          ];
        });
        const records = await listRecords(tenant, "clerk");
        const twice = records.length - new Set(records.map(({ startTime }) => startTime)).size;
        return [
          ...broken,
          ...(await unsuccessful(tenant, records)),
          ...(twice > 0 ? [`${twice} firings ran twice`] : []),
        ];
      },
    };
  },
};
