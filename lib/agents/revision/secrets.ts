import { isRecord, pointerOf } from "../../json/json.ts";
import { mask } from "../../platform/http/mask.ts";
import type { RevisionContent } from "./content.ts";

/** The parts of a revision that may contain secrets. */
type SecretParts = Pick<
  RevisionContent,
  "parametersMetadata" | "subAgents" | "integrationConfigs" | "connectors"
>;
/** Secrets by a path that is stable across revisions. */
export type Secrets = Record<string, string>;
type Visit = (place: string, pointer: string, value: string) => string;

const secretName =
  /token|secret|password|credential|authorization|bearer|signing|(?:api|private|access)_?key/i;

/**
 * Replaces the secrets of a revision with masks. Returns the masked content, the secrets by path, and the
 * paths that were sent as a mask with their JSON pointers.
 */
export const takeSecrets = <Content extends SecretParts>(
  content: Content,
): { masked: Content; secrets: Secrets; kept: { place: string; pointer: string }[] } => {
  const secrets: Secrets = {};
  const kept: { place: string; pointer: string }[] = [];
  const masked = visitSecrets(content, (place, pointer, value) => {
    if (value === mask) kept.push({ place, pointer });
    else secrets[place] = value;
    return mask;
  });
  return { masked, secrets, kept };
};

/** Restores secrets at their paths. */
export const putSecretsBack = <Content extends SecretParts>(
  content: Content,
  secrets: Secrets,
): Content =>
  visitSecrets(content, (place, _, value) =>
    Object.hasOwn(secrets, place) ? (secrets[place] ?? value) : value,
  );

const visitSecrets = <Content extends SecretParts>(content: Content, visit: Visit): Content => ({
  ...content,
  parametersMetadata: visitDefaults(content.parametersMetadata, "", "/parametersMetadata", visit),
  subAgents: content.subAgents.map((subAgent, at) => ({
    ...subAgent,
    parametersMetadata: visitDefaults(
      subAgent.parametersMetadata,
      `subAgent/${subAgent.id}/`,
      `/subAgents/${at}/parametersMetadata`,
      visit,
    ),
  })),
  integrationConfigs: content.integrationConfigs.map((config, at) => ({
    ...config,
    auth: config.auth && {
      ...config.auth,
      parameters: visitStrings(
        config.auth.parameters,
        `integrationConfig/${config.id}/`,
        `/integrationConfigs/${at}/auth/parameters`,
        visit,
      ),
    },
  })),
  connectors: content.connectors.map((connector, at) => ({
    ...connector,
    parameters: visitNamed(
      connector.parameters,
      `connector/${connector.id}`,
      `/connectors/${at}/parameters`,
      visit,
    ),
  })),
});

const visitDefaults = <
  Descriptor extends { name: string; secret?: boolean | null; defaultValue?: string | null },
>(
  descriptors: Descriptor[],
  place: string,
  pointer: string,
  visit: Visit,
): Descriptor[] =>
  descriptors.map((descriptor, at) =>
    descriptor.secret && typeof descriptor.defaultValue === "string"
      ? {
          ...descriptor,
          defaultValue: visit(
            `${place}parameter/${descriptor.name}`,
            `${pointer}/${at}/defaultValue`,
            descriptor.defaultValue,
          ),
        }
      : descriptor,
  );

const visitStrings = (
  values: Record<string, string>,
  place: string,
  pointer: string,
  visit: Visit,
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      visit(place + name, pointer + pointerOf(name), value),
    ]),
  );

/** Visits every string, at any depth, under a member with the name of a secret. */
const visitNamed = (
  values: Record<string, unknown>,
  place: string,
  pointer: string,
  visit: Visit,
  isSecret = false,
): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const step = pointerOf(name);
      const isOwn = isSecret || secretName.test(name);
      return [name, visitValue(value, place + step, pointer + step, visit, isOwn)];
    }),
  );

const visitValue = (
  value: unknown,
  place: string,
  pointer: string,
  visit: Visit,
  isSecret: boolean,
): unknown => {
  if (typeof value === "string") return isSecret ? visit(place, pointer, value) : value;
  if (Array.isArray(value)) {
    return value.map((item, at) =>
      visitValue(item, `${place}/${at}`, `${pointer}/${at}`, visit, isSecret),
    );
  }
  return isRecord(value) ? visitNamed(value, place, pointer, visit, isSecret) : value;
};
