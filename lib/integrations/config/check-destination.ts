import { validationFailed } from "../../platform/http/problems.ts";
import { toIssuePointer } from "../../platform/http/zod-error-map.ts";
import { parseDestination } from "../../platform/outgoing/destination.ts";
import type { IntegrationContent } from "./schemas.ts";

type Parameters = Readonly<Record<string, unknown>>;

/**
 * Throws 400 when a change would send stored credentials to a new destination: permission to edit a config does
 * not include permission to read its credentials.
 */
export const checkDestination = (
  integrationId: string,
  before: Pick<IntegrationContent, "parameters">,
  after: Pick<IntegrationContent, "parameters">,
): void => {
  const given = mapDestinations(integrationId, before.parameters);
  const wanted = mapDestinations(integrationId, after.parameters);
  const names = new Set([...given.keys(), ...wanted.keys()]);
  if ([...names].every((name) => given.get(name) === wanted.get(name))) return;
  const detail =
    "must be sent again when the address changes: stored credentials are only sent to the address they were saved with";
  throw validationFailed([{ pointer: "/auth/parameters", detail }]);
};

/** Destinations of the credentials, by the pointer of the parameter that sets them. */
const mapDestinations = (
  integrationId: string,
  parameters: Parameters,
): ReadonlyMap<string, string> => {
  if (integrationId !== "openapi") return new Map(listDestinations([], parameters));
  // Credentials go to baseUrl, or else to the server of the document.
  const { baseUrl, documentUrl } = parameters;
  const address = isSet(baseUrl) ? baseUrl : documentUrl;
  return new Map([["server", destinationIn(address) ?? ""]]);
};

const isSet = (value: unknown): boolean => typeof value === "string" && value.trim() !== "";

/** Settings that are part of an address but not an address themselves. */
const addressParts = new Set(["cloudId"]);

const listDestinations = (
  path: readonly string[],
  value: unknown,
): (readonly [place: string, destination: string])[] => {
  if (typeof value === "object" && value !== null) {
    return Object.entries(value).flatMap(([name, member]) =>
      listDestinations([...path, name], member),
    );
  }
  const isPart = addressParts.has(path.at(-1) ?? "");
  const destination = isPart ? JSON.stringify(value) : destinationIn(value);
  return destination === undefined ? [] : [[toIssuePointer(path), destination]];
};

const destinationIn = (value: unknown): string | undefined =>
  typeof value === "string" ? parseDestination(value) : undefined;
