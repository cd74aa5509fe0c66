import { parseJson } from "../../../values/json/parse-json.ts";
import { CreateSkillBody } from "../schemas.ts";
import { metadataKeys as keys } from "./metadata-keys.ts";

const { tools, resources } = CreateSkillBody.shape;
const known: readonly string[] = Object.values(keys);

/** Reads the members of a skill that `metadata` states; undefined for those that it does not. Warns of invalid ones. */
export const readMetadata = (
  metadata: ReadonlyMap<string, string>,
  warn: (warning: string) => void,
) => {
  const read = <Value>(key: string, schema: { safeParse(value: unknown): { data?: Value } }) => {
    const text = metadata.get(key);
    if (text === undefined) return undefined;
    const parsed = parseJson(text);
    const { data } = schema.safeParse(parsed.ok ? parsed.value : undefined);
    if (data === undefined) warn(`"metadata.${key}" was ignored: it is not valid.`);
    return data;
  };
  return {
    displayName: metadata.get(keys.displayName) || undefined,
    tools: read(keys.tools, tools.unwrap().unwrap()),
    resources: read(keys.resources, resources.unwrap().unwrap()),
    /** Names of the other members. */
    others: [...metadata.keys()]
      .filter((key) => !known.includes(key))
      .map((key) => `metadata.${key}`),
  };
};
