import * as z from "zod";
import { refuseUnknown } from "../../platform/http/unknown-members.ts";

/** Limits of the turns that sessions keep. */
export const SessionPolicy = refuseUnknown(
  z
    .object({
      maxTurns: z
        .int()
        .min(1)
        .max(200)
        .nullish()
        .meta({ description: "Turns that are kept; 50 by default." }),
      maxTokens: z.int().min(1).max(1_000_000).nullish().meta({
        description: "Tokens of the kept turns together, estimated as a quarter of their bytes.",
      }),
      onOverflow: z.enum(["drop", "summarize"]).nullish().meta({
        description:
          "`drop` (default) removes the oldest turns; `summarize` replaces them by a summary, by the model of the Prompt that needs it.",
      }),
      retentionDays: z
        .int()
        .min(1)
        .max(365)
        .nullish()
        .meta({ description: "Days after which a turn is removed; 30 by default." }),
    })
    .meta({ id: "SessionPolicy", example: { maxTurns: 20, onOverflow: "summarize" } }),
);
export type SessionPolicy = z.output<typeof SessionPolicy>;
