import { createHash } from "node:crypto";
import type { ProblemExplanation } from "./problem-explanation.ts";

const style =
  "body{font:16px/1.5 system-ui,sans-serif;max-width:40rem;margin:4rem auto;padding:0 1rem}pre{overflow-x:auto;padding:1rem;border:1px solid #8888}:root{color-scheme:light dark}";

const styleHash = createHash("sha256").update(style).digest("base64");

/** Headers of the page: it loads and runs nothing, has its own style alone, and is in no frame. */
export const problemPageHeaders = {
  "Content-Type": "text/html; charset=utf-8",
  "Content-Security-Policy": `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  Vary: "Accept",
} as const;

const escapeHtml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

const renderText = (text: string): string =>
  escapeHtml(text).replaceAll(/`([^`]+)`/g, "<code>$1</code>");

/** Renders the explanation as HTML. Its text comes from the registry, never from a request. */
export const problemPage = ({
  title,
  status,
  help,
  remedy,
  example,
}: ProblemExplanation): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${status} ${title} · Wharf</title>
<style>${style}</style>
<h1>${title}</h1>
<p>HTTP status ${status}.</p>
<h2>What it means</h2>
<p>${renderText(help)}</p>
<h2>What to do</h2>
<p>${renderText(remedy)}</p>
<h2>Example</h2>
<pre>${escapeHtml(JSON.stringify(example, null, 2))}</pre>
</html>
`;
