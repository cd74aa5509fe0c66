import type { Pool } from "undici";
import { signedAs } from "../access/caller.ts";
import { type LocalCredentials, tokenHeader } from "../access/credentials.ts";
import { settledReceiptsPath } from "../storage/endpoint.ts";

/** Creates a function that reports receives that ended without a deletion, so that they count after a restart. */
export const createReceiptSettler =
  (pool: Pool, { accessKeyId, sessionToken }: LocalCredentials) =>
  async (receipts: readonly string[]): Promise<void> => {
    if (receipts.length === 0) return;
    const response = await pool.request({
      path: settledReceiptsPath,
      method: "POST",
      headers: { authorization: signedAs(accessKeyId, "sqs"), [tokenHeader]: sessionToken },
      body: JSON.stringify({ receipts }),
    });
    await response.body.dump();
  };
