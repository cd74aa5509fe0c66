import * as z from "zod";
import { ChosenId, Timestamp } from "../http/ids.ts";
import { nullAs, optionalFlag } from "../http/null-as.ts";

/** A reusable bundle of instructions, tools and resources as the API shows it. */
export const Skill = z
  .object({
    id: ChosenId,
    displayName: z.string().min(1),
    description: z.string().min(1),
    instructions: z.string().nullable().default(null),
    tools: nullAs(z.array(z.object({ integrationId: z.string(), id: z.string() })), []),
    resources: nullAs(
      z.array(z.object({ assetId: z.string(), description: z.string(), vectorized: optionalFlag })),
      [],
    ),
    type: z.int().meta({ description: "0 custom, 1 imported from markdown." }),
    createdAt: Timestamp,
    modifiedAt: Timestamp,
  })
  .meta({ id: "Skill" });
export type Skill = z.output<typeof Skill>;
