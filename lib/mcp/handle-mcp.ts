import type { Headers as SentHeaders } from "../platform/http/request.ts";
import { readsResourceLinks } from "./cite.ts";
import { type ClientStream, listenToTasks } from "./listen-to-tasks.ts";
import type { Outcome } from "./offer.ts";
import type { McpBody } from "./schemas.ts";
import { mcpServer, type ServerOptions } from "./server.ts";
import { toCallResult } from "./to-call-result.ts";

/** A message received over Streamable HTTP. */
export type McpCall = {
  body: McpBody;
  headers: SentHeaders;
  /** Base URL of the API for this caller. */
  baseUrl: string;
};

/** A response of Streamable HTTP. `contentType` is null for a response without a body. */
export type McpHttpResponse = { status: number; contentType: string | null; body: string };

type McpOptions = Omit<ServerOptions, "version" | "notify"> & {
  /** Undefined for a client that does not accept one. */
  stream: ClientStream | undefined;
  clock: () => number;
};

const forwardedHeaders = ["origin", "mcp-protocol-version", "mcp-method", "mcp-name"];

/**
 * Responds to a Model Context Protocol message without a session: a JSON body, or 202 when no response is due. Notifications are
 * sent to the stream before. Supports the 2026-07-28 revision, and those of 2025, which a client initializes first.
 */
export const handleMcp = async (
  { body, headers, baseUrl }: McpCall,
  { stream, clock, ...options }: McpOptions,
): Promise<McpHttpResponse> => {
  const sdk = await import("@modelcontextprotocol/server");
  const own = new URL(baseUrl);
  const request = new Request(own, { method: "POST", headers: toHeaders(headers) });
  const refused = sdk.originValidationResponse(request, [own.hostname]);
  if (refused) return readResponse(refused);
  const { tasks } = options;
  const [version] = headers.get("mcp-protocol-version") ?? [];
  const makeServer = () => mcpServer(sdk, { ...options, version, notify: stream?.send });
  const parsed = { parsedBody: body };
  if (await sdk.isLegacyRequest(request, body)) {
    const transport = new sdk.WebStandardStreamableHTTPServerTransport({
      enableJsonResponse: true,
    });
    const server = makeServer();
    await server.connect(transport);
    try {
      return await readResponse(await transport.handleRequest(request, parsed));
    } finally {
      await server.close();
    }
  }
  const handler = sdk.createMcpHandler(makeServer, { legacy: "reject" });
  try {
    const response = await readResponse(await handler.fetch(request, parsed));
    if (!isSubscribing(body) || response.contentType !== "text/event-stream") return response;
    // The library ends the subscription immediately: this server sends none of the notifications that it knows.
    const accepted = readEvents(response.body);
    const toResult = (outcome: Outcome) => toCallResult(outcome, readsResourceLinks(version));
    const listening = { tasks, stream, toResult, clock };
    const reply = await listenToTasks(sdk, { body, accepted }, listening);
    return { ...reply, contentType: "application/json", body: JSON.stringify(reply.body) };
  } finally {
    await handler.close();
  }
};

const isSubscribing = (body: McpBody): boolean =>
  !Array.isArray(body) && body.method === "subscriptions/listen";

/** Reads the messages of a stream of events that has ended. */
const readEvents = (text: string): unknown[] =>
  text
    .split("\n")
    .flatMap((line) => (line.startsWith("data: ") ? [JSON.parse(line.slice(6))] : []));

/** Selects the headers that the protocol uses; the response is always JSON. */
const toHeaders = (sent: SentHeaders): Headers => {
  const headers = new Headers({
    "Content-Type": "application/json",
    Accept: "application/json, text/event-stream",
  });
  for (const name of forwardedHeaders) {
    const [value] = sent.get(name) ?? [];
    if (value !== undefined) headers.set(name, value);
  }
  return headers;
};

const readResponse = async (response: Response): Promise<McpHttpResponse> => {
  const contentType = response.headers.get("content-type");
  return { status: response.status, contentType, body: await response.text() };
};
