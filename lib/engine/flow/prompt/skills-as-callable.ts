import { withKnownNames } from "../../../platform/http/nearest-name.ts";
import { isJsonObject, type Json } from "../../../values/json/json.ts";
import { ToolError } from "../../tools/tool.ts";
import type { FlowSkill } from "../skill.ts";
import type { Callable } from "./callable.ts";
import { formatSkill } from "./skills.ts";

/** More than the largest skill: its instructions are never cut. */
const maxResultBytes = 1_024 * 1_024;

/**
 * Returns the tool `load_skill`, by which a model gets the instructions of a skill. A skill that was loaded before is
 * not repeated.
 */
export const skillsAsCallable = (skills: readonly FlowSkill[]): Callable => {
  const ids = skills.map(({ id }) => id);
  const loaded = new Set<string>();
  const find = (given: Json): FlowSkill => {
    const id = isJsonObject(given) ? given.skill : undefined;
    if (typeof id !== "string") throw new ToolError("The argument skill must be a text.");
    const skill = skills.find((known) => known.id === id);
    if (skill) return skill;
    throw new ToolError(withKnownNames(`There is no skill "${id.slice(0, 128)}"`, id, ids));
  };
  return {
    key: "Skills",
    name: "load_skill",
    description: "Returns the instructions of a skill.",
    parameters: {
      type: "object",
      properties: {
        skill: { type: "string", enum: ids, description: "The id of the skill." },
      },
      required: ["skill"],
      additionalProperties: false,
    },
    span: { type: "Tool", name: "load_skill" },
    isReadOnly: true,
    maxResultBytes,
    check: async (given) => void find(given),
    call: async (given) => {
      const skill = find(given);
      if (loaded.has(skill.id)) {
        return { output: `The skill "${skill.id}" is loaded already; its instructions are above.` };
      }
      loaded.add(skill.id);
      return { output: formatSkill(skill) };
    },
  };
};
