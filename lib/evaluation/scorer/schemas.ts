import * as z from "zod";
import { ChosenId, Timestamp } from "../../platform/http/ids.ts";
import { pageSchema } from "../../platform/http/paging.ts";
import { refuseUnknown } from "../../platform/http/unknown-members.ts";

/** Types of scorers. */
export const ScorerType = z
  .enum(["Exact", "JsonSchema", "Expression", "Judge", "Agent", "Guardrail"])
  .meta({
    id: "ScorerType",
    description:
      "Exact compares with `expected`; JsonSchema validates the output; Expression is JSONata; Judge calls a model; Agent runs an agent; Guardrail applies a guardrail's checks.",
  });
export type ScorerType = z.output<typeof ScorerType>;

const displayName = z.string().min(1).max(200);
const path = z
  .string()
  .regex(/^(?:\/(?:[^~/]|~0|~1)*)*$/, "must be a JSON pointer such as /answer/city")
  .max(1_000)
  .meta({
    description:
      "JSON pointer to the value of the output that an Exact scorer compares, with the value at the same place of `expected`. An `expected` that is not an object or array is compared itself. Null compares the whole output.",
    example: "/answer",
  });
const schema = z.union([z.record(z.string(), z.unknown()), z.boolean()]).meta({
  description: "JSON Schema of the output, for a JsonSchema scorer.",
});
const value = z.string().min(1).max(32_768).meta({
  description:
    "JSONata over `input`, `output`, `expected`, `trace`, `usage` and `cost`, for an Expression scorer. Selects a number, or a boolean that counts as 1 or 0.",
  example: "output.total = expected.total",
});
const llm = refuseUnknown(
  z
    .object({
      providerId: ChosenId,
      parameters: z.record(z.string(), z.unknown()).nullable().default(null),
    })
    .meta({
      id: "JudgeLlm",
      description:
        "Model of a Judge scorer, as in a Prompt. Its temperature is 0 unless `parameters` has another.",
      example: { providerId: "my-models", parameters: { model: "llama3.3" } },
    }),
);
const rubric = z.string().min(1).max(16_000).meta({
  description: "The criteria that a Judge scorer's model rates from 0 to 1, in plain text.",
  example: "Is the answer polite, and does it say the same as the expected one?",
});
const agentId = ChosenId.meta({
  description:
    "Agent of an Agent scorer: its deployed revision gets those of `input`, `output`, `expected`, `trace`, `usage` and `cost` that it declares, and outputs `{value, comment?}`.",
});
const guardrailId = ChosenId.meta({
  description:
    "Guardrail of a Guardrail scorer: its checks of outputs give 1 to an output that passes, 0 to one that they would block.",
});

/** The method of a scorer; the members of other types are null. */
const method = {
  type: ScorerType,
  path: path.nullable(),
  schema: schema.nullable(),
  value: value.nullable(),
  llm: llm.nullable(),
  rubric: rubric.nullable(),
  agentId: agentId.nullable(),
  guardrailId: guardrailId.nullable().default(null),
};

/** A scorer: public representation, and as it is stored. */
export const Scorer = z
  .object({
    id: ChosenId,
    displayName,
    ...method,
    createdAt: Timestamp,
    modifiedAt: Timestamp,
  })
  .meta({ id: "Scorer" });
export type Scorer = z.output<typeof Scorer>;

/** A page of scorers, by id. */
export const ScorerPage = pageSchema(Scorer, "ScorerPage");

const sentMethod = {
  path: path.nullish(),
  schema: schema.nullish(),
  value: value.nullish(),
  llm: llm.nullish(),
  rubric: rubric.nullish(),
  agentId: agentId.nullish(),
  guardrailId: guardrailId.nullish(),
};

/** Request body that creates a scorer. */
export const CreateScorerBody = z
  .object({ id: ChosenId.nullish(), displayName, type: ScorerType, ...sentMethod })
  .meta({
    id: "CreateScorerBody",
    example: { id: "correct", displayName: "Correct", type: "Exact", path: "/answer" },
  });
export type CreateScorerBody = z.output<typeof CreateScorerBody>;

/** Request body that changes a scorer; replaces the members sent. The type stays. */
export const UpdateScorerBody = z
  .object({ displayName: displayName.optional(), type: ScorerType.optional(), ...sentMethod })
  .meta({ id: "UpdateScorerBody", example: { displayName: "Correct answer" } });
export type UpdateScorerBody = z.output<typeof UpdateScorerBody>;

/** A score that a scorer gave. */
export const ScorerResult = z
  .object({
    scorer: ChosenId,
    value: z.number().nullable().meta({ description: "Null when it could not be determined." }),
    passed: z.boolean().nullable().meta({ description: "Whether `value` is 0.5 or more." }),
    comment: z
      .string()
      .nullable()
      .meta({ description: "The reason for it, or why it could not be determined." }),
    cost: z.number().meta({ description: "US dollars that the scorer itself cost." }),
  })
  .meta({ id: "ScorerResult" });
export type ScorerResult = z.output<typeof ScorerResult>;
