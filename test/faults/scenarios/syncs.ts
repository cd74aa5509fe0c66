import * as z from "zod";
import { startSourceServer } from "../../harness/source-server.ts";
import { appears, differs, leftovers, type Scenario, settled } from "../scenario.ts";
import { createEmbeddingProvider, embedding } from "./steps.ts";

const Asset = z.looseObject({
  id: z.string(),
  status: z.string(),
  error: z.string().nullable(),
  documentCount: z.int(),
});
const files = { "one.md": "# One", "two.md": "# Two" };

/** Synchronizations that are requested twice: all of them end, with all documents once. */
export const syncs: Scenario = {
  name: "syncs",
  prepare: async (world) => {
    const tenant = await world.newTenant();
    await createEmbeddingProvider(world, tenant);
    const source = await startSourceServer({ files });
    world.onClose(source.close);
    const ids: string[] = [];
    const read = async (id: string) =>
      Asset.parse((await tenant.mustSend("GET", `/assets/${id}`)).body);
    return {
      tenantId: tenant.id,
      act: async (n) => {
        const id = `asset-${n}`;
        const parameters = { repository: "acme/app", baseUrl: source.url };
        await tenant.mustSend("POST", "/assets", {
          body: { id, displayName: id, type: "github", parameters, embedding },
        });
        ids.push(id);
        const sync = () => tenant.mustSend("POST", `/assets/${id}:sync`);
        await Promise.all([sync(), sync()]);
        await appears(async () => (await read(id)).status === "Ready");
      },
      check: async () => {
        const broken = await settled(async () => [
          ...(await leftovers(world, tenant.id)),
          ...(await Promise.all(ids.map(read))).flatMap(({ id, status, error }) =>
            status === "Ready" ? [] : [`${id} is ${status}: ${error ?? "no error"}`],
          ),
        ]);
        const found = await Promise.all(ids.map(read));
        return [
          ...broken,
          ...found.flatMap((asset) => differs(`documents of ${asset.id}`, asset.documentCount, 2)),
        ];
      },
    };
  },
};
