import * as z from "zod";

/** Where a check is applied. */
export const guardedPlaces = [
  "input",
  "output",
  "toolArguments",
  "toolResult",
  "retrieval",
] as const;
export const GuardedPlace = z.enum(guardedPlaces).meta({
  id: "GuardedPlace",
  description:
    "input and output are those of the execution; toolArguments and toolResult those of a tool that a Tool step or a model calls; retrieval is what a search of assets finds, and the text of files of a Prompt.",
});
export type GuardedPlace = z.output<typeof GuardedPlace>;

/** Kinds of personal data and secrets that a Pii check finds. */
export const piiKinds = ["Email", "Phone", "Card", "Iban", "Key"] as const;
export type PiiKind = (typeof piiKinds)[number];

const checkBase = {
  id: z
    .string()
    .regex(
      /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/,
      "must be 1 to 64 letters, digits, dots, dashes or underscores",
    ),
  on: z.array(GuardedPlace).min(1).max(guardedPlaces.length),
  action: z.enum(["block", "mask", "flag"]).meta({
    description:
      "block ends the execution or the step; mask replaces what was found; flag only records the verdict. Only Pii, Pattern and Bedrock mask.",
  }),
  onError: z.enum(["block", "allow"]).optional().meta({
    description: "What follows when the check itself fails; default: block.",
  }),
};

const PiiCheck = z
  .object({
    ...checkBase,
    type: z.literal("Pii"),
    kinds: z
      .array(z.enum(piiKinds))
      .min(1)
      .max(piiKinds.length)
      .nullish()
      .meta({ description: "Default: all." }),
  })
  .meta({ id: "PiiCheck" });

/** Characters of a pattern. Time grows with their number. */
const maxPatternLength = 200;

const PatternCheck = z
  .object({
    ...checkBase,
    type: z.literal("Pattern"),
    pattern: z.string().min(1).max(maxPatternLength).meta({
      description:
        "A regular expression that can be executed in linear time: without back references and lookaheads. Case counts.",
      example: "PROJECT-[0-9]{4}",
    }),
  })
  .meta({ id: "PatternCheck" });

const ExpressionCheck = z
  .object({
    ...checkBase,
    type: z.literal("Expression"),
    value: z.string().min(1).max(32_768).meta({
      description: "JSONata over `value` and `on`. The check applies where it selects true.",
      example: "$length($string(value)) > 10000",
    }),
  })
  .meta({ id: "ExpressionCheck" });

const providerId = z.string().min(1).max(128);

const JudgeCheck = z
  .object({
    ...checkBase,
    type: z.literal("Judge"),
    llm: z
      .object({
        providerId,
        parameters: z.record(z.string(), z.unknown()).nullish(),
      })
      .meta({
        id: "GuardrailLlm",
        description:
          "The model that judges, as in a Prompt. Its temperature is 0 unless `parameters` has another.",
        example: { providerId: "my-models", parameters: { model: "llama3.3" } },
      }),
    rubric: z.string().min(1).max(16_000).meta({
      description: "What the check looks for, in plain text. The model rates a value from 0 to 1.",
      example: "The text gives medical advice.",
    }),
    threshold: z.number().min(0).max(1).default(0.5).meta({
      description: "The check applies from this rating on.",
    }),
  })
  .meta({ id: "JudgeCheck" });

const ModerationCheck = z
  .object({
    ...checkBase,
    type: z.literal("Moderation"),
    providerId: providerId.meta({
      description: "A provider of type openai or openai-compatible with a moderations endpoint.",
    }),
  })
  .meta({ id: "ModerationCheck" });

const BedrockCheck = z
  .object({
    ...checkBase,
    type: z.literal("Bedrock"),
    guardrailId: z
      .string()
      .regex(/^[a-z0-9]{1,64}$/, "must be the id of a guardrail of Amazon Bedrock"),
    version: z.string().regex(/^(?:[1-9][0-9]{0,7}|DRAFT)$/, "must be a number or DRAFT"),
    providerId: providerId.nullish().meta({
      description:
        "A provider of type bedrock, for its region and key. Default: the region and the role of the deployment.",
    }),
  })
  .meta({ id: "BedrockCheck" });

/** A check of a guardrail. */
export const GuardrailCheck = z
  .discriminatedUnion("type", [
    PiiCheck,
    PatternCheck,
    ExpressionCheck,
    JudgeCheck,
    ModerationCheck,
    BedrockCheck,
  ])
  .meta({ id: "GuardrailCheck" });
export type GuardrailCheck = z.output<typeof GuardrailCheck>;

/** A check that asks an outside service. */
export type OutsideCheck = Extract<GuardrailCheck, { type: "Judge" | "Moderation" | "Bedrock" }>;

/** Returns whether a check asks an outside service. */
export const isOutside = (check: GuardrailCheck): check is OutsideCheck =>
  check.type === "Judge" || check.type === "Moderation" || check.type === "Bedrock";

/** A guardrail as executions apply it. */
export type AppliedGuardrail = {
  readonly id: string;
  readonly revision: number;
  readonly checks: readonly GuardrailCheck[];
};

/** Verdict of a check, without the content. */
export const CheckVerdict = z
  .object({
    guardrail: z.string(),
    revision: z.int(),
    check: z.string(),
    type: z.string(),
    outcome: z.enum(["passed", "flagged", "masked", "blocked", "failed"]).meta({
      description:
        "failed: the check itself failed, and `onError` is allow. One with `onError` block has blocked.",
    }),
    found: z.array(z.string()).meta({
      description: "Kinds of what a Pii, Moderation or Bedrock check found; never the content.",
    }),
    score: z.number().optional().meta({ description: "The rating of a Judge." }),
    error: z
      .string()
      .optional()
      .meta({ description: "Why the check itself failed; absent for one that did not." }),
  })
  .meta({ id: "CheckVerdict" });
export type CheckVerdict = z.output<typeof CheckVerdict>;
