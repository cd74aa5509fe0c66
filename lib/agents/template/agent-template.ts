import * as z from "zod";

/** The member of an agent's file that makes it a template: what it needs, and an input to try it with. */
export const AgentTemplate = z.strictObject({
  /** Resources that it cannot run without, in one line. */
  needs: z.string(),
  /** A sample of its inputs. */
  input: z.record(z.string(), z.json()),
  /** Assets that it searches, with documents to try it with. */
  assets: z
    .array(
      z.strictObject({
        id: z.string(),
        displayName: z.string(),
        /** Texts by file name. */
        documents: z.record(z.string(), z.string()),
      }),
    )
    .default([]),
  /** Integration configs with the tools that it calls. Its flow names them by `displayName`. */
  integrationConfigs: z
    .array(
      z.strictObject({
        displayName: z.string(),
        integrationId: z.string(),
        parameters: z.record(z.string(), z.string()),
      }),
    )
    .default([]),
  /** Hints for the user of a new agent. */
  next: z.array(z.string()),
});
export type AgentTemplate = z.output<typeof AgentTemplate>;

/** The member of a file that has it. */
export const templateMember = "x-template";
