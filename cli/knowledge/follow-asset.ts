import { unwrapBody } from "../../client/client.ts";
import type { Asset } from "../../client/openapi.ts";
import { pauses } from "../pauses.ts";
import type { Session } from "../session.ts";

/** Iterates over an asset, read with growing pauses, until its synchronization has ended. */
export async function* followAsset(
  { client, tenant }: Session,
  asset: string,
): AsyncGenerator<Asset, void, undefined> {
  for await (const _ of pauses()) {
    const read = await unwrapBody(
      client.GET("/v1/tenants/{tenant}/assets/{asset}", { params: { path: { tenant, asset } } }),
    );
    yield read;
    if (read.status !== "Syncing") return;
  }
}
