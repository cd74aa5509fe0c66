import * as z from "zod";

/** One thing that was said before, in the conversation that a flow answers in. */
export const Utterance = z.object({ role: z.enum(["user", "assistant"]), text: z.string() });
export type Utterance = z.output<typeof Utterance>;
