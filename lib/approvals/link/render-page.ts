import { createHash } from "node:crypto";
import type { ApprovalItem } from "../../executions/approvals/approval-store.ts";
import { formatTime } from "../describe-request.ts";
import { Html, html } from "./html.ts";
import type { Form } from "./read-form.ts";
import { renderForm } from "./render-form.ts";

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

/** Headers of the page: it runs no scripts, loads nothing, sends its form to itself alone, and is not indexed. */
export const pageHeaders = {
  "Content-Type": "text/html; charset=utf-8",
  "Content-Security-Policy": `default-src 'none'; style-src 'sha256-${styleDigest}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  "X-Robots-Tag": "noindex, nofollow",
} as const;

/** Content of the page of a link. */
export type PageContent = {
  item: ApprovalItem;
  /** Whether the link decides no more. */
  isExpired: boolean;
  /** Reasons why the form that was sent decided nothing. */
  errors: readonly string[];
  /** The entered values. */
  form: Form;
};

/** Renders the page of a link: the question and its form, or what was decided. */
export const renderPage = ({ item, isExpired, errors, form }: PageContent): string => {
  const isOpen = item.status === "Pending" && !isExpired;
  const alerts = errors.map((error) => html`<p role="alert">${error}</p>`);
  const body = isOpen
    ? [...describe(item), ...alerts, renderForm(item, form)]
    : [...alerts, end(item)];
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<title>Approval</title>
<style>${new Html(style)}</style>
</head>
<body>
<main>
<h1>${item.title}</h1>
${body}
</main>
</body>
</html>
`.source;
};

const describe = ({
  message,
  data,
  toolId,
  arguments: given,
  decisions,
  ...item
}: ApprovalItem) => [
  ...(message ? [html`<p>${message}</p>`] : []),
  ...(data === null ? [] : [html`<pre>${format(data)}</pre>`]),
  ...(toolId === null ? [] : [html`<p>Tool: ${toolId}</p>`]),
  ...(given === null ? [] : [html`<pre>${format(given)}</pre>`]),
  html`<p>Decide by ${formatTime(item.expiresAt)}.</p>`,
  ...(item.minApprovals > 1
    ? [html`<p>Needs ${String(item.minApprovals)} people; ${String(decisions.length)} decided.</p>`]
    : []),
];

const format = (value: unknown): string =>
  typeof value === "string" ? value : JSON.stringify(value, null, 2);

const end = ({ status, actions, decisions, decidedAt }: ApprovalItem): Html => {
  switch (status) {
    case "Decided":
      return html`<div role="status">${decisions.map(
        ({ action, decidedBy, decidedAt: at, comment }) =>
          html`<p>${actions.find(({ id }) => id === action)?.label ?? action}, by ${decidedBy}, ${formatTime(at)}${comment ? `: ${comment}` : ""}</p>`,
      )}</div>`;
    case "TimedOut":
      return html`<p role="status">It was not decided in time (${formatTime(decidedAt ?? 0)}).</p>`;
    case "Cancelled":
      return html`<p role="status">It needs no decision any more: its execution has ended.</p>`;
    case "Pending":
      return html`<p role="status">The link has expired.</p>`;
  }
};
