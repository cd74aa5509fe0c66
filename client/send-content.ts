/** Bytes of a file that one request can have; a larger one is sent to a URL of the storage. */
export const largestBody = 4 * 1_024 * 1_024;

/** A URL of the storage, with the headers of the upload. */
type UploadUrl = { uploadUrl: string | null; headers: Record<string, string> };

/** Sends a file to a URL of the storage. */
export const sendContent = async (
  { uploadUrl, headers }: UploadUrl,
  content: Blob,
  signal?: AbortSignal,
): Promise<void> => {
  if (uploadUrl === null) throw new TypeError("The response has no URL to upload to.");
  const response = await fetch(uploadUrl, {
    method: "PUT",
    headers,
    body: content,
    ...(signal && { signal }),
  });
  if (!response.ok) throw new Error(`The storage refused the file (${response.status}).`);
};
