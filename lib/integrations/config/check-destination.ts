import { pointerOf } from "../../platform/http/parse-request.ts";
import { validationFailed } from "../../platform/http/problems.ts";
import { destinationOf } from "../../platform/outgoing/destination.ts";
import type { IntegrationContent } from "./schemas.ts";

type Parameters = Readonly<Record<string, unknown>>;

/**
 * Throws 400 when stored credentials would go to another destination than the one that they were given for:
 * whoever may change a config may not thereby read what is kept in it.
 */
export const checkDestination = (
  integrationId: string,
  before: Pick<IntegrationContent, "parameters">,
  after: Pick<IntegrationContent, "parameters">,
): void => {
  const given = destinationsOf(integrationId, before.parameters);
  const wanted = destinationsOf(integrationId, after.parameters);
  const names = new Set([...given.keys(), ...wanted.keys()]);
  if ([...names].every((name) => given.get(name) === wanted.get(name))) return;
  const detail =
    "must be sent again with another address: stored credentials are sent only where they were given for";
  throw validationFailed([{ pointer: "/auth/parameters", detail }]);
};

/** Where the credentials go, by the place in the parameters that says so. */
const destinationsOf = (
  integrationId: string,
  parameters: Parameters,
): ReadonlyMap<string, string> => {
  if (integrationId !== "openapi") return new Map(listDestinations([], parameters));
  // Only baseUrl says where credentials go, or else the address of the document.
  const { baseUrl, documentUrl } = parameters;
  const address = isSet(baseUrl) ? baseUrl : documentUrl;
  return new Map([["server", destinationIn(address) ?? ""]]);
};

const isSet = (value: unknown): boolean => typeof value === "string" && value.trim() !== "";

/** Settings that are part of an address without being one. */
const partsOfAddresses = new Set(["cloudId"]);

const listDestinations = (
  path: readonly string[],
  value: unknown,
): (readonly [place: string, destination: string])[] => {
  if (typeof value === "object" && value !== null) {
    return Object.entries(value).flatMap(([name, member]) =>
      listDestinations([...path, name], member),
    );
  }
  const isPart = partsOfAddresses.has(path.at(-1) ?? "");
  const destination = isPart ? JSON.stringify(value) : destinationIn(value);
  return destination === undefined ? [] : [[pointerOf(path), destination]];
};

const destinationIn = (value: unknown): string | undefined =>
  typeof value === "string" ? destinationOf(value) : undefined;
