/** Bytes of a file that one request can have; a larger one is sent to a URL of the storage. */
export const largestBody = 4 * 1_024 * 1_024;

/** Sends a file to a URL of the storage. */
export type PutContent = (
  url: string,
  request: { method: "PUT"; headers: Record<string, string>; body: Blob; signal?: AbortSignal },
) => Promise<{ ok: boolean; status: number }>;

/** A URL of the storage, with the headers of the upload. */
type UploadUrl = { uploadUrl: string | null; headers: Record<string, string> };

/** Sends a file to a URL of the storage, by default with `fetch`. */
export const sendContent = async (
  { uploadUrl, headers }: UploadUrl,
  content: Blob,
  { signal, put = fetch }: { signal?: AbortSignal | undefined; put?: PutContent | undefined } = {},
): Promise<void> => {
  if (uploadUrl === null) throw new TypeError("The response has no URL to upload to.");
  const request = { method: "PUT" as const, headers, body: content, ...(signal && { signal }) };
  const { ok, status } = await put(uploadUrl, request);
  if (!ok) throw new Error(`The storage refused the file (${status}).`);
};
