import * as z from "zod";
import { appears, differs, leftovers, type Scenario, settled } from "../scenario.ts";
import { createEmbeddingProvider, embedding } from "./steps.ts";

const Documents = z.object({
  items: z.array(z.looseObject({ name: z.string(), status: z.string() })),
  nextPageToken: z.string().nullable(),
});
const Asset = z.looseObject({ status: z.string(), documentCount: z.int() });

/** Uploaded documents, which are indexed and counted once. */
export const documents: Scenario = {
  name: "documents",
  prepare: async (world) => {
    const tenant = await world.newTenant();
    await createEmbeddingProvider(world, tenant);
    await tenant.mustSend("POST", "/assets", {
      body: { id: "docs", displayName: "Docs", type: "upload", embedding },
    });
    const names: string[] = [];
    const list = async () => {
      const found: z.output<typeof Documents>["items"] = [];
      for (let skip: string | null = "0"; skip !== null; ) {
        const path = `/assets/docs/documents?PageSize=200&PageToken.Skip=${skip}`;
        const page = Documents.parse((await tenant.mustSend("GET", path)).body);
        found.push(...page.items);
        skip = page.nextPageToken;
      }
      return found;
    };
    const unfinished = async () =>
      (await list()).flatMap((document) =>
        document.status === "Indexed" ? [] : [`${document.name} is ${JSON.stringify(document)}`],
      );
    return {
      tenantId: tenant.id,
      act: async (n) => {
        const name = `doc-${n}.txt`;
        await tenant.mustSend("POST", `/assets/docs/documents?name=${name}`, {
          raw: `About ${n}.`,
          headers: { "content-type": "text/plain" },
        });
        names.push(name);
        await appears(async () =>
          (await list()).some(
            (document) => document.name === name && document.status !== "Pending",
          ),
        );
      },
      check: async () => {
        const wrongAsset = async () => {
          const { body } = await tenant.mustSend("GET", "/assets/docs");
          const { status, documentCount } = Asset.parse(body);
          return differs("the asset", [status, documentCount], ["Ready", names.length]);
        };
        const broken = await settled(async () => [
          ...(await leftovers(world, tenant.id)),
          ...(await unfinished()),
          ...(await wrongAsset()),
        ]);
        const all = (await list()).map(({ name }) => name);
        return [...broken, ...differs("documents", all.toSorted(), names.toSorted())];
      },
    };
  },
};
