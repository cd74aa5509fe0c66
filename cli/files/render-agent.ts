import { emptyContent } from "./content.ts";
import type { Environment } from "./environment.ts";
import { toFileValue } from "./file-value.ts";
import type { LocalAgent } from "./folder.ts";
import { mergeInto, newDocument, renderMerged, renderYaml } from "./merge.ts";
import { buildKey, type Names } from "./names.ts";
import type { StoredAgent } from "./plan.ts";
import { listReferences } from "./references.ts";
import { withoutAdopted } from "./show.ts";
import { parseYaml } from "./yaml-document.ts";

/** The schema's file in a folder of agents. */
export const schemaFile = "agent.schema.json";

const head = ` yaml-language-server: $schema=./${schemaFile}`;

/** The name of an agent's file, and the file if it exists. */
export type Target = { name: string; local: LocalAgent | undefined };

/** The form of references and variables in a rendered file. */
export type Rendering = {
  environment: Environment;
  names: Names;
  /** Names that the existing file uses for ids, by kind and id. */
  written: ReadonlyMap<string, string>;
};

/** Renders an agent's file; keeps comments, order and style of an existing one. */
export const agentText = async (
  { agent, stored }: StoredAgent,
  { name, local }: Target,
  { environment, names, written }: Rendering,
): Promise<string> => {
  const { content = emptyContent(), comment = null } = stored ?? {};
  const formatReference = await names.writer(listReferences(content), written);
  const shown = local ? withoutAdopted(content, local.value) : content;
  const value = toFileValue(agent, { content: shown, comment }, formatReference);
  if (!local) {
    return renderYaml(newDocument(name === agent.id ? {} : { id: agent.id }, value, head));
  }
  const { document } = parseYaml(local.yaml.file, local.yaml.text).yaml;
  const isChanged = mergeInto(document, value, environment);
  return isChanged ? renderMerged(document, local.yaml.text) : local.yaml.text;
};

/** Returns how a file writes the ids that it refers to. */
export const writtenIn = async (
  { value }: Pick<LocalAgent, "value">,
  names: Names,
): Promise<ReadonlyMap<string, string>> => {
  const references = listReferences(value);
  const resolved = await names.resolve(references, new Set());
  return new Map(
    references.flatMap((reference) => {
      const found = resolved.get(buildKey(reference));
      return found && "id" in found
        ? [[buildKey({ kind: reference.kind, text: found.id }), reference.text] as const]
        : [];
    }),
  );
};
