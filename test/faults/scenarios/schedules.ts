import { randomUUID } from "node:crypto";
import { fireSchedules, listSchedules } from "../call-schedules.ts";
import {
  appears,
  leftovers,
  listRecords,
  type Scenario,
  settled,
  stillOpen,
  unsuccessful,
} from "../scenario.ts";

const hourMs = 3_600_000;

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
      const all = await listSchedules(world.product);
      const own = all.find(({ description }) => description.includes(`tenant ${tenant.id},`));
      return own?.due ?? undefined;
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
        await fireSchedules(world.product, until);
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
