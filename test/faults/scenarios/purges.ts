import { randomBytes } from "node:crypto";
import { isWithin, type Scenario, settled } from "../scenario.ts";

/** Bytes of an input and output that are stored in items of their own. */
const bytes = 2_500;

/** Agents that ran, or run, and are deleted: all that belonged to them goes, and their id is free again. */
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
          parametersMetadata: [{ name: "text", type: "String" }],
          flow: {
            steps: [{ id: "out", type: "Output", value: "{% input.text %}" }],
            edges: [],
          },
        });
        const execute = (prefer: Record<string, string>) =>
          tenant.mustSend("POST", `/agents/${agent}:execute`, {
            body: { input: { text: randomBytes(bytes).toString("base64") } },
            headers: prefer,
          });
        await execute({});
        if (n % 2 === 0) await execute({ Prefer: "respond-async" });
        const response = await tenant.send("DELETE", `/agents/${agent}`);
        if (response.status !== 204 && response.status !== 404) {
          wrong.push(`DELETE ${agent}: ${response.status} ${response.text}`);
        }
        deleted.push(agent);
      },
      check: async () => {
        const left = await settled(async () => {
          const items = await world.findItems(tenant.id);
          return deleted.flatMap((agent) =>
            items
              .filter(({ pk, sk }) => belongsTo(tenant.id, agent, String(pk), String(sk)))
              .map(({ pk, sk }) => `left over: ${String(pk)} ${String(sk)}`),
          );
        });
        // Reused ids are not checked again.
        for (const id of deleted.splice(0, 2)) {
          await tenant.mustSend("POST", "/agents", { body: { id, displayName: id } });
        }
        return [...wrong, ...left];
      },
    };
  },
};

/** Usage by day is kept. */
const belongsTo = (tenantId: string, agent: string, pk: string, sk: string): boolean =>
  isWithin(`TENANT#${tenantId}#AGENT#${agent}`, pk) || sk.endsWith(`#${agent}`);
