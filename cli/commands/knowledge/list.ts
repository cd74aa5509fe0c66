import { unwrapBody } from "../../../client/client.ts";
import type { Asset } from "../../../client/openapi.ts";
import type { GlobalInput } from "../../command.ts";
import type { Io } from "../../io.ts";
import { listAll } from "../../list.ts";
import { printList, showTime } from "../../output.ts";
import { openSession } from "../../session.ts";

type Input = GlobalInput & { limit: number | undefined };

/** Runs `wharf knowledge list`. */
export const listAssets = async ({ limit, ...input }: Input, io: Io): Promise<void> => {
  const { client, tenant } = await openSession(input, io);
  const items = await listAll(
    (query) =>
      unwrapBody(
        client.GET("/v1/tenants/{tenant}/assets", { params: { path: { tenant }, query } }),
      ),
    limit,
    io,
  );
  printList(io, input, { items, none: "No assets found.", heading, toRow });
};

const heading = ["ID", "NAME", "SOURCE", "STATUS", "DOCUMENTS", "LAST SYNCED"];

const toRow = (asset: Asset): string[] => [
  asset.id,
  asset.displayName ?? "",
  asset.type ?? "none",
  asset.type === null ? "none" : asset.status,
  String(asset.documentCount),
  showTime(asset.lastSyncedAt),
];
