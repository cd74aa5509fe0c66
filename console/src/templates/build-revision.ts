import type { CreateRevisionBody } from "../../../client/openapi.ts";
import { isRecord } from "../flow-graph/members.ts";
import type { NamedTemplate } from "./template-file.ts";

/** The model of a new agent; without a name it is the provider's default. */
export type ChosenModel = { providerId: string; model: string };

/** Builds the first revision of an agent. `configIds` has the ids of integration configs by the names in the template. */
export const buildRevision = (
  { name, revision }: Pick<NamedTemplate, "name" | "revision">,
  { providerId, model }: ChosenModel,
  configIds: ReadonlyMap<string, string>,
): CreateRevisionBody => {
  const flow = replaceConfigIds(revision.flow, configIds);
  return {
    ...revision,
    comment: `From the template ${name}`,
    llmConfigs: [{ providerId, parameters: model === "" ? {} : { model } }],
    ...(isFlow(flow) && { flow }),
  };
};

type Flow = NonNullable<CreateRevisionBody["flow"]>;

const isFlow = (flow: unknown): flow is Flow => isRecord(flow) && Array.isArray(flow.steps);

const replaceConfigIds = (value: unknown, configIds: ReadonlyMap<string, string>): unknown => {
  if (Array.isArray(value)) return value.map((item) => replaceConfigIds(item, configIds));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      name === "configId" && typeof member === "string"
        ? (configIds.get(member) ?? member)
        : replaceConfigIds(member, configIds),
    ]),
  );
};
