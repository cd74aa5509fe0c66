import { problemRegistry } from "./problem-registry.ts";
import { problemType } from "./public-address.ts";

/** Response of `/problems/{slug}`. */
export type ProblemExplanation = { type: string; title: string; status: number; help: string };

/** Returns the explanation of a problem type; undefined for an unknown slug. */
export const explainProblem = (slug: string, basePath = ""): ProblemExplanation | undefined => {
  const entry = new Map(Object.entries(problemRegistry)).get(slug);
  return entry && { type: problemType(slug, basePath), ...entry };
};

/** Renders the explanation as HTML. Its text comes from the registry, never from a request. */
export const problemPage = ({ title, status, help }: ProblemExplanation): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${status} ${title} · Wharf</title>
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:40rem;margin:4rem auto;padding:0 1rem}</style>
<h1>${title}</h1>
<p>HTTP status ${status}.</p>
<p>${help.replaceAll(/`([^`]+)`/g, "<code>$1</code>")}</p>
</html>
`;
