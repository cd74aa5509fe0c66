import { randomUUID } from "node:crypto";
import * as z from "zod";
import { credentialsFor, tokenHeader } from "../../../infra/local/access/credentials.ts";
import { operator } from "../../../infra/local/operator.ts";
import { schedulesPath } from "../../../infra/local/storage/endpoint.ts";
import {
  appears,
  leftovers,
  recordsOf,
  type Scenario,
  settled,
  unsuccessful,
} from "../scenario.ts";

const Schedules = z.array(z.looseObject({ description: z.string(), due: z.int() }));
const hourMs = 3_600_000;

/** A job policy that is due every hour: it runs once for each hour, however often it is fired. */
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
          timeout: 60,
        },
      ],
    });
    const headers = () => ({
      [tokenHeader]: credentialsFor(world.product.address().secret, operator).sessionToken,
    });
    const address = () => `${world.product.address().services}${schedulesPath}`;
    const due = async (): Promise<number | undefined> => {
      const read = await fetch(address(), { headers: headers() }).catch(() => undefined);
      const all = read ? Schedules.parse(await read.json()) : [];
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
        const response = await fetch(address(), {
          method: "POST",
          headers: headers(),
          body: JSON.stringify({ until }),
        }).catch(() => undefined);
        if (!response?.ok) return;
        fired.add(until);
        await appears(async () => (await recordsOf(tenant, "clerk", until)).length > 0);
      },
      check: async () => {
        const broken = await settled(async () => {
          const records = await recordsOf(tenant, "clerk");
          const times = new Set(records.map(({ startTime }) => startTime));
          return [
            ...(await leftovers(world, tenant.id)),
            ...[...fired]
              .filter((time) => !times.has(time))
              .map((time) => `lost: firing of ${time}`),
            ...unsuccessful(records),
          ];
        });
        const records = await recordsOf(tenant, "clerk");
        const twice = records.length - new Set(records.map(({ startTime }) => startTime)).size;
        return [...broken, ...(twice > 0 ? [`${twice} firings ran twice`] : [])];
      },
    };
  },
};
