import type { ApprovalItem } from "../../executions/approvals/approval-store.ts";
import { type Html, html } from "../../platform/http/html.ts";
import { renderHtmlPage } from "../../platform/http/html-page.ts";
import { formatTime } from "../describe-request.ts";
import type { Form } from "./read-form.ts";
import { renderForm } from "./render-form.ts";

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
  return renderHtmlPage({ title: "Approval", heading: item.title, body });
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
