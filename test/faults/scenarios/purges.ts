import { type Scenario, settled } from "../scenario.ts";

/** Agents that ran and are deleted: all that hung on them goes, and their id is free again. */
export const purges: Scenario = {
  name: "purges",
  prepare: async (world) => {
    const tenant = await world.newTenant();
    const deleted: string[] = [];
    const wrong: string[] = [];
    return {
      tenantId: tenant.id,
      act: async (n) => {
        const agent = `gone-${n}`;
        await tenant.deployAgent(agent, {
          flow: { steps: [{ id: "out", type: "Output", value: "done" }], edges: [] },
        });
        await tenant.mustSend("POST", `/agents/${agent}:execute`, { body: {} });
        const heard = await tenant.send("DELETE", `/agents/${agent}`);
        if (heard.status !== 204 && heard.status !== 404) {
          wrong.push(`DELETE ${agent}: ${heard.status} ${heard.text}`);
        }
        deleted.push(agent);
      },
      check: async () => {
        const left = await settled(async () => {
          const items = await world.itemsOf(tenant.id);
          return deleted.flatMap((agent) =>
            items
              .filter(({ pk, sk }) => isOf(agent, String(pk), String(sk)))
              .map(({ pk, sk }) => `left over: ${String(pk)} ${String(sk)}`),
          );
        });
        for (const id of deleted.slice(0, 2)) {
          await tenant.mustSend("POST", "/agents", { body: { id, displayName: id } });
        }
        return [...wrong, ...left];
      },
    };
  },
};

const isOf = (agent: string, pk: string, sk: string): boolean =>
  pk.endsWith(`#AGENT#${agent}`) || sk.endsWith(`#${agent}`);
