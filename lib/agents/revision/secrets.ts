import { mask } from "../../platform/http/mask.ts";
import { buildPointer, isRecord } from "../../values/json/json.ts";
import type { CreateRevisionBody } from "./content.ts";

/** The parts of a revision that may contain secrets. */
type SecretParts = Pick<
  CreateRevisionBody,
  "parametersMetadata" | "subAgents" | "integrationConfigs" | "connectors"
>;
/** Secrets by a path that is stable across revisions. */
export type Secrets = Record<string, string>;

/** A path that is stable across revisions, and the JSON pointer of the same member. */
type Member = { place: string; pointer: string };
type Visit = (member: Member, value: string) => string;

const secretName =
  /token|secret|password|credential|authorization|bearer|signing|(?:api|private|access)_?key/i;

/**
 * Replaces the secrets of a revision with masks. Returns the masked content, the secrets by path, and the
 * paths that were sent as a mask with their JSON pointers.
 */
export const takeSecrets = <Content extends SecretParts>(
  content: Content,
): { masked: Content; secrets: Secrets; kept: Member[] } => {
  const secrets: Secrets = {};
  const kept: Member[] = [];
  const masked = visitSecrets(content, (member, value) => {
    if (value === mask) kept.push(member);
    else secrets[member.place] = value;
    return mask;
  });
  return { masked, secrets, kept };
};

/** Restores secrets at their paths. */
export const putSecretsBack = <Content extends SecretParts>(
  content: Content,
  secrets: Secrets,
): Content =>
  visitSecrets(content, ({ place }, value) =>
    Object.hasOwn(secrets, place) ? (secrets[place] ?? value) : value,
  );

const visitSecrets = <Content extends SecretParts>(content: Content, visit: Visit): Content => ({
  ...content,
  parametersMetadata: visitDefaults(
    content.parametersMetadata,
    { place: "", pointer: "/parametersMetadata" },
    visit,
  ),
  subAgents: content.subAgents.map((subAgent, at) => ({
    ...subAgent,
    parametersMetadata: visitDefaults(
      subAgent.parametersMetadata,
      { place: `subAgent/${subAgent.id}/`, pointer: `/subAgents/${at}/parametersMetadata` },
      visit,
    ),
  })),
  integrationConfigs: content.integrationConfigs.map((config, at) => ({
    ...config,
    auth: config.auth && {
      ...config.auth,
      parameters: visitStrings(
        config.auth.parameters,
        {
          place: `integrationConfig/${config.id}/`,
          pointer: `/integrationConfigs/${at}/auth/parameters`,
        },
        visit,
      ),
    },
  })),
  connectors: content.connectors.map((connector, at) => ({
    ...connector,
    parameters: visitNamed(
      connector.parameters,
      { place: `connector/${connector.id}`, pointer: `/connectors/${at}/parameters` },
      visit,
    ),
  })),
});

const visitDefaults = <
  Descriptor extends { name: string; secret?: boolean | null; defaultValue?: string | null },
>(
  descriptors: Descriptor[],
  { place, pointer }: Member,
  visit: Visit,
): Descriptor[] =>
  descriptors.map((descriptor, at) =>
    descriptor.secret && typeof descriptor.defaultValue === "string"
      ? {
          ...descriptor,
          defaultValue: visit(
            {
              place: `${place}parameter/${descriptor.name}`,
              pointer: `${pointer}/${at}/defaultValue`,
            },
            descriptor.defaultValue,
          ),
        }
      : descriptor,
  );

const visitStrings = (
  values: Record<string, string>,
  { place, pointer }: Member,
  visit: Visit,
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      visit({ place: place + name, pointer: pointer + buildPointer(name) }, value),
    ]),
  );

/** Visits every string, at any depth, under a member with the name of a secret. */
const visitNamed = (
  values: Record<string, unknown>,
  member: Member,
  visit: Visit,
  isSecret = false,
): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const isOwn = isSecret || secretName.test(name);
      return [name, visitValue(value, below(member, buildPointer(name)), visit, isOwn)];
    }),
  );

const below = ({ place, pointer }: Member, step: string): Member => ({
  place: place + step,
  pointer: pointer + step,
});

const visitValue = (value: unknown, member: Member, visit: Visit, isSecret: boolean): unknown => {
  if (typeof value === "string") return isSecret ? visit(member, value) : value;
  if (Array.isArray(value)) {
    return value.map((item, at) => visitValue(item, below(member, `/${at}`), visit, isSecret));
  }
  return isRecord(value) ? visitNamed(value, member, visit, isSecret) : value;
};
