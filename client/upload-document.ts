import { unwrapBody, type WharfClient } from "./client.ts";
import type { AssetDocument } from "./openapi.ts";
import { largestBody, sendContent } from "./send-content.ts";

/** A file for an asset: its name, media type ("" for unknown) and content. */
export type DocumentFile = { name: string; type: string; content: Blob };

type AssetPath = { tenant: string; asset: string };

/** Uploads a file to an asset; one of the same name is replaced. Returns the document, which a queue indexes. */
export const uploadDocument = (
  client: WharfClient,
  path: AssetPath,
  file: DocumentFile,
): Promise<AssetDocument> =>
  file.content.size > largestBody
    ? uploadToUrl(client, path, file)
    : unwrapBody(
        client.POST("/v1/tenants/{tenant}/assets/{asset}/documents", {
          params: { path, query: { name: file.name } },
          headers: { "Content-Type": file.type || "application/octet-stream" },
          body: "",
          bodySerializer: () => file.content,
        }),
      );

const uploadToUrl = async (
  client: WharfClient,
  path: AssetPath,
  { name, type, content }: DocumentFile,
): Promise<AssetDocument> => {
  const uploads = "/v1/tenants/{tenant}/assets/{asset}/uploads";
  const { id: upload, ...target } = await unwrapBody(
    client.POST(uploads, { params: { path }, body: { size: content.size } }),
  );
  await sendContent(target, content);
  return unwrapBody(
    client.POST(`${uploads}/{upload}:complete`, {
      params: { path: { ...path, upload } },
      body: { name, ...(type !== "" && { contentType: type }) },
    }),
  );
};
