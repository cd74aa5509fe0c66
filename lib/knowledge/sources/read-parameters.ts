import * as z from "zod";
import { type InvalidPlace, validationFailed } from "../../platform/http/problems.ts";
import { sayWrong } from "../../platform/http/say-wrong.ts";
import { OutgoingError } from "../../platform/outgoing/outgoing-error.ts";
import { parseUrl } from "../../platform/outgoing/parse-url.ts";
import type { OutgoingOptions } from "../../platform/outgoing/resolve-host.ts";
import type { Source } from "./source.ts";

/** The parameter by which a source of one's own is addressed. */
const addressName = "baseUrl";

/**
 * The parameters of a source; null counts as not given. Throws 400 with every one that is missing, unknown or
 * wrong.
 * @param at pointer to where the parameters stand in the body
 */
export const readParameters = (
  source: Source,
  given: Readonly<Record<string, unknown>>,
  { at, outgoing }: { at: string; outgoing: OutgoingOptions },
): Record<string, unknown> => {
  const present = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
  const parsed = z.strictObject(source.parameters.shape).safeParse(present, { error: sayWrong });
  const places = [
    ...(parsed.error?.issues ?? []).flatMap((issue) => placesOf(issue, source, present)),
    ...wrongAddress(present[addressName], outgoing),
    ...(parsed.success ? (source.misfits?.(parsed.data) ?? []) : []),
  ];
  if (parsed.success && places.length === 0) return parsed.data;
  throw validationFailed(
    places.map(({ pointer, detail }) => ({ pointer: `${at}${pointer}`, detail })),
  );
};

const pointerTo = (name: string): string =>
  `/${name.replaceAll("~", "~0").replaceAll("/", "~1").slice(0, 200)}`;

const placesOf = (
  issue: z.core.$ZodIssue,
  { key, parameters }: Source,
  present: Readonly<Record<string, unknown>>,
): InvalidPlace[] => {
  if (issue.code === "unrecognized_keys") {
    const known = Object.keys(parameters.shape).join(", ");
    const detail = `is no parameter of ${key}; known are ${known}`;
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

const wrongAddress = (value: unknown, outgoing: OutgoingOptions): InvalidPlace[] => {
  if (typeof value !== "string" || value === "") return [];
  try {
    parseUrl(value, undefined, outgoing);
    return [];
  } catch (error) {
    if (!(error instanceof OutgoingError)) throw error;
    return [{ pointer: pointerTo(addressName), detail: error.message }];
  }
};
