import { unwrapBody, type WharfClient } from "./client.ts";
import type { AssetDocument } from "./openapi.ts";

/** A file for an asset: its name, media type ("" for unknown) and content. */
export type DocumentFile = { name: string; type: string; content: Blob };

type AssetPath = { tenant: string; asset: string };

/** Bytes of a file that one request can have; a larger one is sent to a URL of the storage. */
export const largestDocument = 4 * 1_024 * 1_024;

/** Uploads a file to an asset; one of the same name is replaced. Returns the document, which a queue indexes. */
export const uploadDocument = (
  client: WharfClient,
  path: AssetPath,
  file: DocumentFile,
): Promise<AssetDocument> =>
  file.content.size > largestDocument
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
  const {
    id: upload,
    uploadUrl,
    headers,
  } = await unwrapBody(client.POST(uploads, { params: { path }, body: { size: content.size } }));
  if (uploadUrl === null) throw new TypeError("The response has no URL to upload to.");
  const response = await fetch(uploadUrl, { method: "PUT", headers, body: content });
  if (!response.ok) throw new Error(`The storage refused the file (${response.status}).`);
  return unwrapBody(
    client.POST(`${uploads}/{upload}:complete`, {
      params: { path: { ...path, upload } },
      body: { name, ...(type !== "" && { contentType: type }) },
    }),
  );
};
