import { createHash } from "node:crypto";
import { Html, html } from "./html.ts";

const style = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { margin: 0 auto; max-width: 42rem; padding: 2rem 1rem; }
h1 { font-size: 1.4rem; overflow-wrap: anywhere; }
p, dd { overflow-wrap: anywhere; white-space: pre-wrap; }
pre { background: #8882; overflow: auto; padding: 0.75rem; white-space: pre-wrap; overflow-wrap: anywhere; }
label { display: block; font-weight: 600; margin: 1rem 0 0.25rem; }
small { display: block; font-weight: 400; }
input, select, textarea { box-sizing: border-box; font: inherit; padding: 0.4rem; width: 100%; }
button { font: inherit; margin: 1.25rem 0.5rem 0 0; padding: 0.5rem 1.25rem; }
[role="alert"] { border-left: 4px solid #c33; padding-left: 0.75rem; }
[role="status"] { border-left: 4px solid #383; padding-left: 0.75rem; }
`;

const styleDigest = createHash("sha256").update(style).digest("base64");

const buildHeaders = (formTargets: string) => ({
  "Content-Type": "text/html; charset=utf-8",
  "Content-Security-Policy": `default-src 'none'; style-src 'sha256-${styleDigest}'; form-action ${formTargets}; base-uri 'none'; frame-ancestors 'none'`,
  "X-Robots-Tag": "noindex, nofollow",
});

/** Headers of a page: it runs no scripts, loads nothing, sends its form to itself alone, and is not indexed. */
export const pageHeaders = buildHeaders("'self'");

/** As `pageHeaders`, for a form that leads to another server by a redirect: browsers check that target, too. */
export const redirectingPageHeaders = buildHeaders("'self' https: http:");

/** Renders a page. */
export const renderHtmlPage = ({
  title,
  heading,
  body,
}: {
  title: string;
  heading: string;
  body: readonly Html[];
}): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<title>${title}</title>
<style>${new Html(style)}</style>
</head>
<body>
<main>
<h1>${heading}</h1>
${body}
</main>
</body>
</html>
`.source;
