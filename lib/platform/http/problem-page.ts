import { createHash } from "node:crypto";
import { problemRegistry } from "./problem-registry.ts";
import { problemType } from "./public-address.ts";

/** Response of `/problems/{slug}`. */
export type ProblemExplanation = { type: string; title: string; status: number; help: string };

/** Returns the explanation of a problem type; undefined for an unknown slug. */
export const explainProblem = (slug: string, basePath = ""): ProblemExplanation | undefined => {
  const entry = new Map(Object.entries(problemRegistry)).get(slug);
  return entry && { type: problemType(slug, basePath), ...entry };
};

const style =
  "body{font:16px/1.5 system-ui,sans-serif;max-width:40rem;margin:4rem auto;padding:0 1rem}";

const styleHash = createHash("sha256").update(style).digest("base64");

/** Headers of the page: it loads and runs nothing, has its own style alone, and is in no frame. */
export const problemPageHeaders = {
  "Content-Type": "text/html; charset=utf-8",
  "Content-Security-Policy": `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  "Referrer-Policy": "no-referrer",
  "X-Frame-Options": "DENY",
} as const;

/** Renders the explanation as HTML. Its text comes from the registry, never from a request. */
export const problemPage = ({ title, status, help }: ProblemExplanation): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${status} ${title} · Wharf</title>
<style>${style}</style>
<h1>${title}</h1>
<p>HTTP status ${status}.</p>
<p>${help.replaceAll(/`([^`]+)`/g, "<code>$1</code>")}</p>
</html>
`;
