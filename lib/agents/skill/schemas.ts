import * as z from "zod";
import { ChosenId, Timestamp } from "../../platform/http/ids.ts";
import { pageSchema } from "../../platform/http/paging.ts";
import { nullAs, optionalFlag } from "../../values/json/null-as.ts";
import { bounds, fitsIn } from "./bounds.ts";

const wellFormed = (text: string): boolean => text.isWellFormed();
const text = z.string().refine(wellFormed, "contains an unpaired surrogate");

const displayName = text.min(1).max(bounds.displayName);
const description = text.min(1).max(bounds.description);
const instructions = text
  .refine(
    (value) => Buffer.byteLength(value) <= bounds.instructionsBytes,
    `may have at most ${bounds.instructionsBytes} bytes in UTF-8`,
  )
  .meta({ description: "Instructions for the model, in Markdown. At most 256 KiB." });

const SkillTool = z
  .object({
    integrationId: text.min(1).max(128),
    id: text.min(1).max(128).meta({ description: "The tool's id within its integration." }),
  })
  .meta({ id: "SkillTool" });
const tools = z
  .array(SkillTool)
  .max(bounds.tools)
  .refine(...fitsIn(bounds.toolsBytes));

const vectorized = {
  description:
    "Whether models search the asset by `search_knowledge`, or read it by `read_resource`.",
};
const SkillResource = z
  .object({
    assetId: z.string(),
    description: z.string(),
    vectorized: z.boolean().meta(vectorized),
  })
  .meta({ id: "SkillResource" });
const SentResource = z
  .object({
    assetId: text.min(1).max(bounds.assetId).meta({
      description: "The id of an asset, which may be created later.",
    }),
    description: nullAs(text.max(bounds.description), ""),
    vectorized: optionalFlag.meta(vectorized),
  })
  .meta({ id: "SentSkillResource" });
const resources = z
  .array(SentResource)
  .max(bounds.resources)
  .refine(...fitsIn(bounds.resourcesBytes));

/** A reusable bundle of instructions, tools and resources; public representation. */
export const Skill = z
  .object({
    id: ChosenId,
    displayName: z.string().min(1),
    description: z.string().min(1),
    instructions: z.string().nullable(),
    tools: z.array(SkillTool).nullable(),
    resources: z.array(SkillResource).nullable(),
    type: z.int().meta({ description: "0 custom, 1 imported from markdown." }),
    createdAt: Timestamp,
    modifiedAt: Timestamp,
  })
  .meta({ id: "Skill" });
export type Skill = z.output<typeof Skill>;

/** A page of skills, by id. */
export const SkillPage = pageSchema(Skill, "SkillPage");

/** Request body that creates a skill. */
export const CreateSkillBody = z
  .object({
    id: ChosenId,
    displayName,
    description,
    instructions: instructions.nullish(),
    tools: tools.nullish(),
    resources: resources.nullish(),
  })
  .meta({
    id: "CreateSkillBody",
    example: {
      id: "mental-arithmetic",
      displayName: "Mental arithmetic",
      description: "Calculates. Use it whenever numbers are asked for.",
      instructions: "Never guess a result: have it calculated.",
      tools: [{ integrationId: "system", id: "calculate" }],
      resources: [{ assetId: "tables.md", description: "Tables of powers", vectorized: false }],
    },
  });
export type CreateSkillBody = z.output<typeof CreateSkillBody>;

/** Request body that changes a skill; replaces the members sent, null clears an optional one. */
export const UpdateSkillBody = z
  .object({
    displayName: displayName.optional(),
    description: description.optional(),
    instructions: instructions.nullish(),
    tools: tools.nullish(),
    resources: resources.nullish(),
  })
  .meta({ id: "UpdateSkillBody", example: { displayName: "Arithmetic" } });
export type UpdateSkillBody = z.output<typeof UpdateSkillBody>;

/** Request body with the markdown file to draft a skill from. */
export const GenerateSkillBody = z
  .object({
    markdownContent: z.string().min(1).meta({
      description: "Content of the file: the Agent Skills format, or plain markdown.",
    }),
    fileName: z.string().min(1).max(1_024).meta({
      description:
        "The name of the file, with its folder if there is one, such as `pdf-forms/SKILL.md`.",
    }),
  })
  .meta({
    id: "GenerateSkillBody",
    example: {
      fileName: "mental-arithmetic/SKILL.md",
      markdownContent:
        "---\nname: mental-arithmetic\ndescription: Calculates.\nallowed-tools: system/calculate\n---\n# Mental arithmetic\n\nSee [the tables](references/tables.md).\n",
    },
  });
export type GenerateSkillBody = z.output<typeof GenerateSkillBody>;

/** A skill drafted from a markdown file; not stored. */
export const SkillDraft = Skill.pick({
  id: true,
  displayName: true,
  description: true,
  instructions: true,
  tools: true,
  resources: true,
})
  .extend({
    warnings: z.array(z.string()).optional().meta({
      description:
        "Parts of the file that were omitted from the draft or corrected; absent when there are none.",
    }),
  })
  .meta({ id: "SkillDraft" });
export type SkillDraft = z.output<typeof SkillDraft>;
