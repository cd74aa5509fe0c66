import { unwrapBody } from "../../../../client/client.ts";
import type { CreateAssetBody } from "../../../../client/openapi.ts";
import { uploadDocument } from "../../../../client/upload-document.ts";
import { type SourceApi, startSourceServer } from "../../../harness/source-apis/source-server.ts";
import type { DemoContext } from "./demo.ts";

const files: Readonly<Record<string, string>> = {
  "returns.md": `# Returns

A desk can be returned within 30 days of its delivery. We refund its price, but not the delivery.

## Damaged goods

Take a photo of the parcel before you open it. We replace what was damaged on the way, and collect it from your door.
`,
  "opening-hours.md": "# Opening hours\n\nMonday to Friday from 9 to 18, Saturday from 10 to 14.\n",
  "prices-of-all-desks-and-lamps-2026.csv":
    "Item,Price\nDesk,120 EUR\nStanding desk,480 EUR\nLamp,30 EUR\n",
  "scanned-contract.pdf": "%PDF-1.4",
};

const documents = ["docs/start.md", "docs/deploy.md", "docs/costs.md", "README.md"];

/** The part of GitHub's API that a synchronization calls. */
const repository: SourceApi = ({ path }) => {
  if (path === "/repos/acme/app") return { body: { default_branch: "main" } };
  if (path === "/repos/acme/app/git/trees/main") {
    const tree = documents.map((name, at) => ({
      ...{ path: name, mode: "100644", type: "blob" },
      ...{ sha: `00000${at}`, size: 100 },
    }));
    return { body: { sha: "0", truncated: false, tree } };
  }
  const at = /\/git\/blobs\/0+(\d)$/.exec(path)?.[1];
  if (at === undefined) return undefined;
  return { body: `# ${documents[Number(at)]}\n\n${"How it is done, step by step. ".repeat(40)}` };
};

/** Creates assets in all states: uploaded files, a repository, a source that refuses and one that takes its time. */
export const createKnowledge = async ({ client, path }: DemoContext, webhook: string) => {
  const servers = await Promise.all([
    startSourceServer(repository),
    startSourceServer(() => ({ status: 401 })),
    startSourceServer(() => ({ status: 429, headers: { "retry-after": "600" } })),
  ]);
  const [github, refusing, slow] = servers.map(({ url }) => url);
  const create = async (asset: CreateAssetBody): Promise<void> => {
    await client.POST("/v1/tenants/{tenant}/assets", { params: { path }, body: asset });
    if (asset.type === "upload" || !asset.id) return;
    const params = { path: { ...path, asset: asset.id } };
    await client.POST("/v1/tenants/{tenant}/assets/{asset}:sync", { params });
  };
  const buildSource = (baseUrl = "") => ({
    type: "github",
    parameters: { repository: "acme/app", token: "a-token", baseUrl },
  });
  await create({ id: "shop", displayName: "Handbook of the shop", type: "upload" });
  await create({ id: "docs", displayName: "Docs", refresh: "daily", ...buildSource(github) });
  await create({ id: "wiki", displayName: "Wiki", refresh: "hourly", ...buildSource(refusing) });
  await create({ id: "archive", displayName: "Archive", ...buildSource(slow) });
  for (const [name, text] of Object.entries(files)) {
    const file = { name, type: "", content: new Blob([text]) };
    await uploadDocument(client, { ...path, asset: "shop" }, file);
  }
  await client.POST("/v1/tenants/{tenant}/webhooks/{webhook}/subscriptions", {
    params: { path: { ...path, webhook } },
    body: { subscriberType: "Asset", subscriberId: "docs", eventTypes: ["push"] },
  });
  const list = () => unwrapBody(client.GET("/v1/tenants/{tenant}/assets", { params: { path } }));
  const isDone = ({ items }: Awaited<ReturnType<typeof list>>): boolean =>
    items.some(({ id, documentCount }) => id === "shop" && documentCount === 3) &&
    items.some(({ id, status }) => id === "docs" && status === "Ready") &&
    items.some(({ id, status }) => id === "wiki" && status === "Failed");
  while (!isDone(await list())) await new Promise((resolve) => setTimeout(resolve, 250));
  return { close: () => Promise.all(servers.map(({ close }) => close())) };
};
