import type { RevisionContent } from "./schemas.ts";

/** What stands where a secret is. Sent back, it keeps what is stored. */
export const mask = "********";

type Content = RevisionContent;
/** Secrets by the name of their place, which stays the same from revision to revision. */
export type Secrets = Record<string, string>;
type Visit = (place: string, pointer: string, value: string) => string;

const secretConnectorParameter = /token|secret|password|credential|api_?key|private_?key/i;

/**
 * Takes the secrets out of a revision: its content with masks in their stead, the secrets by place, and
 * the places that were sent as a mask, with their JSON pointers.
 */
export const takeSecrets = (
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

/** Puts secrets back in their places. */
export const putSecretsBack = (content: Content, secrets: Secrets): Content =>
  visitSecrets(content, (place, _, value) =>
    Object.hasOwn(secrets, place) ? (secrets[place] ?? value) : value,
  );

const visitSecrets = (content: Content, visit: Visit): Content => ({
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
    parameters: visitStrings(
      connector.parameters,
      `connector/${connector.id}/`,
      `/connectors/${at}/parameters`,
      visit,
      (name) => secretConnectorParameter.test(name),
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

const visitStrings = <Value>(
  values: Record<string, Value>,
  place: string,
  pointer: string,
  visit: Visit,
  isSecret: (name: string) => boolean = () => true,
): Record<string, Value | string> =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === "string" && isSecret(name)
        ? visit(
            place + name,
            `${pointer}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`,
            value,
          )
        : value,
    ]),
  );
