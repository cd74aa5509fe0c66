import { randomUUID } from "node:crypto";
import * as z from "zod";
import { differs, type Scenario } from "../scenario.ts";

const Issued = z.looseObject({ id: z.string(), key: z.string().nullable() });
const Events = z.looseObject({ items: z.array(z.looseObject({ type: z.string() })) });

/**
 * Keys that are minted and rotated: the last received secret is valid, no earlier one is, and every
 * change is audited once.
 */
export const keys: Scenario = {
  name: "key rotation",
  prepare: async (world) => {
    const tenant = await world.newTenant();
    const wrong: string[] = [];
    const readStatus = async (key: string): Promise<number> =>
      (await tenant.send("GET", "/apiKeys/current", { key })).status;
    return {
      tenantId: tenant.id,
      act: async (n) => {
        const kills = world.product.kills();
        const body = { name: `key ${n}`, scopes: ["keys:read"] };
        const minted = Issued.parse(
          (await tenant.mustSend("POST", "/apiKeys:generate", { body })).body,
        );
        const rotated = Issued.parse(
          (
            await tenant.mustSend("POST", `/apiKeys/${minted.id}:rotate`, {
              headers: { "idempotency-key": randomUUID() },
            })
          ).body,
        );
        if (minted.key !== null)
          wrong.push(...differs(`old secret ${n}`, await readStatus(minted.key), 401));
        if (rotated.key !== null)
          wrong.push(...differs(`new secret ${n}`, await readStatus(rotated.key), 200));
        const path = `/apiKeys/${minted.id}/auditEvents`;
        const { items } = Events.parse((await tenant.mustSend("GET", path)).body);
        const types = items.map(({ type }) => type);
        const isAsExpected =
          types.join() === "Rotated,Issued" ||
          (world.product.kills() > kills && new Set(types).size === 2);
        if (!isAsExpected) wrong.push(`audit events of key ${n}: ${types.join()}`);
      },
      check: async () => wrong,
    };
  },
};
