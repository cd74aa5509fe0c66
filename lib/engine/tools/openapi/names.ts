import { trimEnd } from "../../../platform/runtime/trim-end.ts";

/**
 * Makes names of letters, digits, dots, dashes and underscores that start with a letter or digit, each
 * different from those that it made before.
 */
export function createNames(maxLength: number): (wanted: string) => string {
  const taken = new Set<string>();
  const counts = new Map<string, number>();
  return (wanted) => {
    const plain =
      trimEnd(
        wanted
          .slice(0, maxLength * 4)
          .replaceAll(/[^A-Za-z0-9._-]+/g, "_")
          .replace(/^[^A-Za-z0-9]+/, ""),
        "_",
      ).slice(0, maxLength) || "unnamed";
    for (let count = counts.get(plain) ?? 1; ; count += 1) {
      const ending = count === 1 ? "" : `_${count}`;
      const name = plain.slice(0, maxLength - ending.length) + ending;
      counts.set(plain, count + 1);
      if (taken.has(name)) continue;
      taken.add(name);
      return name;
    }
  };
}
