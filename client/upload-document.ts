import { bodyOf, type WharfClient } from "./client.ts";
import type { AssetDocument } from "./openapi.ts";

/** A file for an asset: its name, media type ("" for unknown) and content. */
export type DocumentFile = { name: string; type: string; content: Blob };

/** Bytes of a file that one request can have. */
export const largestDocument = 4 * 1_024 * 1_024;

/** Uploads a file to an asset; one of the same name is replaced. Returns the document, which a queue indexes. */
export const uploadDocument = (
  client: WharfClient,
  path: { tenant: string; asset: string },
  { name, type, content }: DocumentFile,
): Promise<AssetDocument> =>
  bodyOf(
    client.POST("/v1/tenants/{tenant}/assets/{asset}/documents", {
      params: { path, query: { name } },
      headers: { "Content-Type": type || "application/octet-stream" },
      body: "",
      bodySerializer: () => content,
    }),
  );
