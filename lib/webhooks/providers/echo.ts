import type { InboundAnswer } from "./provider.ts";

const longestEcho = 4_096;
const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/**
 * Sends a provider's token back as plain text. What a token never holds and a page could run is escaped, so
 * the address is no mirror for scripts.
 */
export const echo = (token: string): InboundAnswer => ({
  status: 200,
  contentType: "text/plain; charset=utf-8",
  body: token.slice(0, longestEcho).replaceAll(/[&<>"']/g, (sign) => entities[sign] ?? ""),
});

/** An answer in JSON. */
export const jsonAnswer = (value: unknown): InboundAnswer => ({
  status: 200,
  contentType: "application/json",
  body: JSON.stringify(value),
});
