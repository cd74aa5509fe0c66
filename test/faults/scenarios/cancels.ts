import * as z from "zod";
import {
  appears,
  differs,
  leftovers,
  listRecords,
  type Scenario,
  settled,
  wrongUsage,
} from "../scenario.ts";
import { callsModel, createProvider, effectStep } from "./steps.ts";

const Accepted = z.looseObject({ executionId: z.string() });
const Detail = z.looseObject({ status: z.string() });

/** Executions that are cancelled while they are queued or run: the status that a cancel found or set is final. */
export const cancels: Scenario = {
  name: "cancels",
  prepare: async (world) => {
    const tenant = await world.newTenant();
    await createProvider(world, tenant);
    await tenant.deployAgent("stopped", {
      parametersMetadata: [{ name: "id", type: "String", required: true }],
      flow: {
        steps: [effectStep(world, "{% input.id %}"), callsModel],
        edges: [{ source: "effect", target: "ask" }],
      },
    });
    const statuses = new Map<string, string>();
    const wrong: string[] = [];
    return {
      tenantId: tenant.id,
      act: async (n) => {
        const id = `${tenant.id}-cancel-${n}`;
        const { body } = await tenant.mustSend("POST", "/agents/stopped:execute", {
          body: { input: { id } },
          headers: { Prefer: "respond-async" },
        });
        const path = `/agents/stopped/execution-records/${Accepted.parse(body).executionId}`;
        if (n % 2 === 0) await appears(() => world.effects.counts.has(id));
        const { status, text } = await tenant.send("POST", `${path}:cancel`);
        if (status !== 202 && status !== 409) wrong.push(`cancel ${n}: ${status} ${text}`);
        const found = Detail.parse((await tenant.mustSend("GET", path)).body).status;
        if (status === 202) wrong.push(...differs(`cancelled ${n}`, found, "Cancelled"));
        statuses.set(Accepted.parse(body).executionId, found);
      },
      check: async () => {
        const open = await settled(() => leftovers(world, tenant.id));
        const records = await listRecords(tenant, "stopped");
        const final = ["Cancelled", "Succeeded"];
        return [
          ...wrong,
          ...open,
          ...differs(
            "statuses",
            records.map(({ id, status }) => `${id} ${status}`).toSorted(),
            [...statuses].map(([id, status]) => `${id} ${status}`).toSorted(),
          ),
          ...[...statuses]
            .filter(([, status]) => !final.includes(status))
            .map(([id, status]) => `${id} is ${status}`),
          ...(await wrongUsage(tenant, "stopped", records)),
        ];
      },
    };
  },
};
