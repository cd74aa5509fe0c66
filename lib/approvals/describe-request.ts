import type { ApprovalItem } from "../executions/approvals/approval-store.ts";
import { formatValue, type Json } from "../values/json/json.ts";

/** Characters of the parts of a notice, so that it fits into a message of any chat. */
const longest = { title: 300, message: 600, data: 500, comment: 300, name: 120 } as const;

/** A notice; `isWhole`: whether it shows everything that the approval has. */
export type Notice = { text: string; isWhole: boolean };

/** Formats a time for people, in UTC: `2026-01-31 09:00 UTC`. */
export const formatTime = (time: number): string =>
  `${new Date(time).toISOString().slice(0, 16).replace("T", " ")} UTC`;

/** Shortens a text, and replaces control characters but line breaks. */
export const shorten = (text: string, length: number): string => {
  const clean = text.toWellFormed().replaceAll(/[^\P{C}\n]/gu, " ");
  return clean.length > length ? `${clean.slice(0, length - 1).toWellFormed()}…` : clean;
};

/** Formats what an approval asks, as plain text of at most 1,600 characters: title, message, data and time limit. */
export const describeRequest = (item: ApprovalItem): Notice => {
  const { title, message, data, toolId, arguments: given, expiresAt, minApprovals } = item;
  const body = (name: string, value: Json | null) =>
    value === null ? "" : `${name}: ${formatValue(value)}`;
  const parts = [
    [title, longest.title],
    [message ?? "", longest.message],
    [toolId === null ? body("Data", data) : body(toolId, given), longest.data],
  ] as const;
  const chosen = item.decisions.map(({ action, decidedBy }) => {
    const name = shorten(decidedBy, longest.name);
    return `${findLabel(item, action)}: ${name}`;
  });
  const limits = [
    `Decide by ${formatTime(expiresAt)}.`,
    ...(minApprovals > 1 ? [`Needs ${minApprovals} people.`] : []),
    ...chosen,
  ];
  const shown = parts.flatMap(([text, length]) => shorten(text, length).trim() || []);
  return {
    text: [...shown, limits.join("\n")].join("\n\n"),
    isWhole: parts.every(([text, length]) => text.length <= length),
  };
};

/** Formats how an approval ended, as plain text: title, who decided what, and when. */
export const describeEnd = (item: ApprovalItem): string => {
  const { title, status, decidedAt, decisions } = item;
  const at = decidedAt === null ? "" : ` (${formatTime(decidedAt)})`;
  const people = decisions.map(({ action, decidedBy, comment }) => {
    const note = comment ? `: ${shorten(comment, longest.comment)}` : "";
    return `${findLabel(item, action)} by ${shorten(decidedBy, longest.name)}${note}`;
  });
  const ends = {
    Pending: [],
    Decided: [],
    TimedOut: ["Not decided in time"],
    Cancelled: ["Cancelled: its execution has ended"],
  } as const;
  return `${shorten(title, longest.title)}\n\n${[...people, ...ends[status]].join("\n")}${at}`;
};

const findLabel = ({ actions }: Pick<ApprovalItem, "actions">, action: string): string =>
  actions.find(({ id }) => id === action)?.label ?? action;
