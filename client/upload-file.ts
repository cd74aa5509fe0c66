import { unwrapBody, type WharfClient } from "./client.ts";
import type { StoredFile } from "./openapi.ts";
import { largestBody, type PutContent, sendContent } from "./send-content.ts";

/** A file to store, for inputs of agents. */
export type FileUpload = {
  tenant: string;
  /** Without a path. */
  name: string;
  content: Blob;
  /** Days for which it is kept, 30 by default. */
  retentionDays?: number;
  signal?: AbortSignal;
  /** Sends a file of more than 4 MiB, such as with its progress; by default `fetch`. */
  put?: PutContent;
};

const octets = "application/octet-stream";

/** Stores a file: in one request, or one of more than 4 MiB at a URL of the storage. */
export const uploadFile = (client: WharfClient, file: FileUpload): Promise<StoredFile> => {
  const { tenant, name, content, retentionDays, signal } = file;
  if (content.size > largestBody) return uploadToUrl(client, file);
  return unwrapBody(
    client.POST("/v1/tenants/{tenant}/files", {
      params: { path: { tenant }, query: { name, ...(retentionDays && { retentionDays }) } },
      headers: { "Content-Type": content.type || octets },
      body: "",
      bodySerializer: () => content,
      ...(signal && { signal }),
    }),
  );
};

const uploadToUrl = async (
  client: WharfClient,
  { tenant, name, content, retentionDays, signal, put }: FileUpload,
): Promise<StoredFile> => {
  const aborts = signal && { signal };
  const { id: file, ...target } = await unwrapBody(
    client.POST("/v1/tenants/{tenant}/files:upload", {
      params: { path: { tenant } },
      body: {
        ...{ name, mediaType: content.type || octets, bytes: content.size },
        ...(retentionDays && { retentionDays }),
      },
      ...aborts,
    }),
  );
  await sendContent(target, content, { signal, put });
  return unwrapBody(
    client.POST("/v1/tenants/{tenant}/files/{file}:complete", {
      params: { path: { tenant, file } },
      ...aborts,
    }),
  );
};
