import type { InboundResponse } from "../../../platform/http/inbound.ts";

const maxEchoLength = 4_096;
const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Echoes a provider's token as plain text, escaped so that the address cannot reflect scripts. */
export const echoToken = (token: string): InboundResponse => ({
  status: 200,
  contentType: "text/plain; charset=utf-8",
  body: token.slice(0, maxEchoLength).replaceAll(/[&<>"']/g, (sign) => entities[sign] ?? ""),
});

/** Creates a JSON response. */
export const jsonResponse = (value: unknown): InboundResponse => ({
  status: 200,
  contentType: "application/json",
  body: JSON.stringify(value),
});
