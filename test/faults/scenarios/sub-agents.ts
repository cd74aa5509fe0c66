import { randomUUID } from "node:crypto";
import {
  differs,
  leftovers,
  listRecords,
  type Scenario,
  settled,
  stillOpen,
  unsuccessful,
  wrongEffects,
  wrongUsage,
} from "../scenario.ts";
import { effectStep } from "./steps.ts";

/**
 * Executions with the execution of a sub-agent as their only step, which is counted for its own
 * agent.
 */
export const subAgents: Scenario = {
  name: "sub-agents",
  prepare: async (world) => {
    const tenant = await world.newTenant();
    const parametersMetadata = [{ name: "id", type: "String", required: true }];
    await tenant.deployAgent("child", {
      parametersMetadata,
      flow: { steps: [effectStep(world, "{% input.id %}")], edges: [] },
    });
    const call = {
      id: "call",
      type: "SubAgent",
      agentId: "child",
      input: { id: "{% input.id %}" },
    };
    await tenant.deployAgent("parent", {
      parametersMetadata,
      flow: { steps: [call], edges: [] },
    });
    const names: string[] = [];
    const wrong: string[] = [];
    return {
      tenantId: tenant.id,
      act: async (n) => {
        const id = `${tenant.id}-parent-${n}`;
        names.push(id);
        const response = await tenant.send("POST", "/agents/parent:execute", {
          body: { input: { id } },
          headers: {
            "idempotency-key": randomUUID(),
            ...(n % 2 === 0 && { Prefer: "respond-async" }),
          },
        });
        if (response.status >= 300) wrong.push(`parent ${n}: ${response.status} ${response.text}`);
      },
      check: async () => {
        const read = () =>
          Promise.all([listRecords(tenant, "parent"), listRecords(tenant, "child")] as const);
        const open = await settled(async () => [
          ...(await leftovers(world, tenant.id)),
          ...stillOpen((await read()).flat()),
        ]);
        const [parents, children] = await read();
        return [
          ...wrong,
          ...open,
          ...differs("parents", parents.length, names.length),
          ...differs("children", children.length, names.length),
          ...(await unsuccessful(tenant, [...parents, ...children])),
          ...(await wrongUsage(tenant, "parent", parents)),
          ...(await wrongUsage(tenant, "child", children)),
          ...wrongEffects(world, names),
        ];
      },
    };
  },
};
