import type { ServerResponse } from "node:http";

/** Escapes a text for HTML. */
export const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

const style = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { margin: 12vh auto; max-width: 22rem; padding: 0 1rem; }
h1 { font-size: 1.4rem; }
label { display: block; margin: 1rem 0 .25rem; font-weight: 600; }
select { background: field; }
input, select, button { box-sizing: border-box; width: 100%; font: inherit; padding: .5rem .75rem;
  border: 1px solid #767676; border-radius: .4rem; }
button { margin-top: 1.5rem; border: 0; background: #0b6472; color: #fff; font-weight: 600; cursor: pointer; }
:focus-visible { outline: 3px solid #3fa7b8; outline-offset: 2px; }
.error { color: #c92a2a; font-weight: 600; }
@media (prefers-color-scheme: dark) { .error { color: #ff8787; } }
`;

type Page = {
  title: string;
  /** HTML. */
  body: string;
  /** Sources that a form of the page may be sent to. */
  formTargets?: readonly string[];
  /** Seconds after which the page reloads itself. */
  reloadSeconds?: number;
};

/** Sends a page without scripts, which no other site can frame. */
export const sendPage = (
  response: ServerResponse,
  status: number,
  { title, body, formTargets = ["'none'"], reloadSeconds }: Page,
): void => {
  const reload =
    reloadSeconds === undefined ? "" : `<meta http-equiv="refresh" content="${reloadSeconds}">`;
  response.writeHead(status, {
    "Content-Type": "text/html; charset=utf-8",
    "Cache-Control": "no-store",
    "Content-Security-Policy": `default-src 'none'; style-src 'unsafe-inline'; form-action ${formTargets.join(" ")}; frame-ancestors 'none'; base-uri 'none'`,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
  });
  response.end(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${reload}
<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
${body}
</main>
</body>
</html>
`);
};
