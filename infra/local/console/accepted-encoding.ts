/** Encodings of a file, the preferred one first. */
const encodings = ["br", "gzip"] as const;

/** The encoding of a response; undefined for none. */
export type Encoding = (typeof encodings)[number];

/** Returns the best encoding that an `Accept-Encoding` header accepts; undefined for none. */
export const chooseEncoding = (header: string | undefined): Encoding | undefined => {
  const accepted = new Map(
    (header ?? "").split(",").map((part) => {
      const [name = "", ...parameters] = part.trim().toLowerCase().split(";");
      const quality = parameters.map((text) => text.trim()).find((text) => text.startsWith("q="));
      return [name.trim(), quality === undefined ? 1 : Number(quality.slice(2))] as const;
    }),
  );
  const findQuality = (name: string): number => accepted.get(name) ?? accepted.get("*") ?? 0;
  return encodings
    .filter((name) => findQuality(name) > 0)
    .toSorted((one, other) => findQuality(other) - findQuality(one))[0];
};
