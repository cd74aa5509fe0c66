import * as z from "zod";
import { type ValidationIssue, validationFailed } from "../../platform/http/problems.ts";
import { zodErrorMap } from "../../platform/http/zod-error-map.ts";
import { OutgoingError } from "../../platform/outgoing/outgoing-error.ts";
import { parseUrl } from "../../platform/outgoing/parse-url.ts";
import type { OutgoingOptions } from "../../platform/outgoing/resolve-host.ts";
import type { Source } from "../../vendors/source.ts";

/** Parameter with the address of a self-hosted source. */
const addressName = "baseUrl";

/**
 * Parses the parameters of a source; null counts as absent. Throws 400 for missing, unknown and invalid ones.
 * @param at pointer to the parameters in the body
 */
export const readParameters = (
  source: Source,
  given: Readonly<Record<string, unknown>>,
  { at, outgoing }: { at: string; outgoing: OutgoingOptions },
): Record<string, unknown> => {
  const present = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
  const parsed = z.strictObject(source.parameters.shape).safeParse(present, { error: zodErrorMap });
  const places = [
    ...(parsed.error?.issues ?? []).flatMap((issue) => toInvalidPlaces(issue, source, present)),
    ...wrongAddress(present[addressName], outgoing),
    ...(parsed.success ? (source.check?.(parsed.data) ?? []) : []),
  ];
  if (parsed.success && places.length === 0) return parsed.data;
  throw validationFailed(
    places.map(({ pointer, detail }) => ({ pointer: `${at}${pointer}`, detail })),
  );
};

const pointerTo = (name: string): string =>
  `/${name.replaceAll("~", "~0").replaceAll("/", "~1").slice(0, 200)}`;

const toInvalidPlaces = (
  issue: z.core.$ZodIssue,
  { key, parameters }: Source,
  present: Readonly<Record<string, unknown>>,
): ValidationIssue[] => {
  if (issue.code === "unrecognized_keys") {
    const names = Object.keys(parameters.shape).join(", ");
    const detail = `is not a parameter of ${key}, which has ${names}`;
    return issue.keys.slice(0, 50).map((name) => ({ pointer: pointerTo(name), detail }));
  }
  const name = String(issue.path[0] ?? "");
  const isMissing = name in parameters.shape && !(name in present);
  return [
    {
      pointer: name === "" ? "" : pointerTo(name),
      detail: isMissing ? `is required for ${key}` : issue.message,
    },
  ];
};

const wrongAddress = (value: unknown, outgoing: OutgoingOptions): ValidationIssue[] => {
  if (typeof value !== "string" || value === "") return [];
  try {
    parseUrl(value, undefined, outgoing);
    return [];
  } catch (error) {
    if (!(error instanceof OutgoingError)) throw error;
    return [{ pointer: pointerTo(addressName), detail: error.message }];
  }
};
