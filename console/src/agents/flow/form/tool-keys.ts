import { isRecord, type Members, textIn, withMember } from "../../../flow-graph/members.ts";

/** Returns the reference to a tool as a text. */
export const toolKey = (ref: Members): string =>
  JSON.stringify([
    textIn(ref.integrationId),
    textIn(ref.toolId),
    ...(textIn(ref.configId) === "" ? [] : [textIn(ref.configId)]),
  ]);

/** Returns the members of a reference to a tool. */
export const parseToolKey = (key: string): Members => {
  const parsed: unknown = JSON.parse(key);
  const [integrationId, toolId, configId] = Array.isArray(parsed) ? parsed : [];
  return withMember({ integrationId, toolId }, "configId", configId);
};

/** Returns the reference that an item of a Prompt's `tools` is, unless it names a sub-agent. */
export const readToolKey = (item: unknown): string => {
  const ref = toToolMembers(item);
  return toolKey(textIn(ref.integrationId) === "" ? { ...ref, integrationId: "system" } : ref);
};

/** Returns the members of an item of a Prompt's `tools`: an id alone is that of a sub-agent or of a `system` tool. */
export const toToolMembers = (item: unknown): Members => (isRecord(item) ? item : { toolId: item });

/** Returns the id of an item that names a sub-agent or a `system` tool; undefined for other tools. */
export const readPlainId = (item: unknown): string | undefined => {
  const { integrationId, toolId } = toToolMembers(item);
  return textIn(integrationId) === "" ? textIn(toolId) : undefined;
};
