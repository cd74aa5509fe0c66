import * as z from "zod";
import { problemGuides } from "./problem-guides.ts";
import { problemRegistry } from "./problem-registry.ts";
import { problemType } from "./public-address.ts";

/** Response of `/problems/{slug}`. */
export const ProblemExplanation = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    help: z.string().meta({ description: "What the problem means." }),
    remedy: z.string().meta({ description: "What to do about it." }),
    example: z
      .record(z.string(), z.unknown())
      .meta({ description: "A response with this problem." }),
  })
  .meta({ id: "ProblemExplanation" });
export type ProblemExplanation = z.output<typeof ProblemExplanation>;

/** Returns the explanation of a problem type; undefined for an unknown slug. */
export const explainProblem = (slug: string, basePath = ""): ProblemExplanation | undefined => {
  const entry = new Map(Object.entries(problemRegistry)).get(slug);
  const guide = new Map(Object.entries(problemGuides)).get(slug);
  if (!entry || !guide) return undefined;
  const { meaning, remedy, detail, path = "/v1/tenants/demo/agents", members } = guide;
  const problem = { type: problemType(slug, basePath), title: entry.title, status: entry.status };
  const example = { ...problem, detail, instance: `${basePath}${path}`, requestId, ...members };
  return { ...problem, help: meaning, remedy, example };
};
const requestId = "7d0f8b0e-4a3c-4a53-9a3e-6b3c4f5a2d11";
