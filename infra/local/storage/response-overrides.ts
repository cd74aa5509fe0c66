/** Headers that the query of a signed read may set (S3, GetObject). */
const overrides = {
  "response-content-type": "content-type",
  "response-content-disposition": "content-disposition",
  "response-cache-control": "cache-control",
} as const;

/** Returns the headers that the query of a read of an object sets; none for other requests. */
export const readResponseOverrides = (method: string, url: string): Record<string, string> => {
  if (method !== "GET" || !url.includes("response-")) return {};
  const { searchParams } = new URL(url, "http://s3.invalid");
  return Object.fromEntries(
    Object.entries(overrides).flatMap(([parameter, header]) => {
      const value = searchParams.get(parameter);
      return value === null ? [] : [[header, value]];
    }),
  );
};
