import { Reply } from "../../edge/respond.ts";
import type { Headers as SentHeaders } from "../../platform/http/request.ts";
import type { McpBody } from "./schemas.ts";
import { mcpServer, type ServerOptions } from "./server.ts";

/** A message received over Streamable HTTP. */
export type McpCall = {
  body: McpBody;
  headers: SentHeaders;
  /** Base URL of the API for this caller. */
  baseUrl: string;
};

const passedOn = ["origin", "mcp-protocol-version", "mcp-method", "mcp-name"];

/**
 * Responds to a Model Context Protocol message without a session: a JSON body, or 202 when no response is due.
 * Supports the 2026-07-28 revision, and those of 2025, which a client initializes first.
 */
export async function answerMcp(
  { body, headers, baseUrl }: McpCall,
  options: ServerOptions,
): Promise<Reply> {
  const sdk = await import("@modelcontextprotocol/server");
  const own = new URL(baseUrl);
  const request = new Request(own, { method: "POST", headers: toHeaders(headers) });
  const refused = sdk.originValidationResponse(request, [own.hostname]);
  if (refused) return toReply(refused);
  const { signal } = options;
  const makeServer = () => mcpServer(sdk, options);
  const given = { parsedBody: body };
  if (await sdk.isLegacyRequest(request, body)) {
    const transport = new sdk.WebStandardStreamableHTTPServerTransport({
      enableJsonResponse: true,
    });
    const server = makeServer();
    await server.connect(transport);
    try {
      return await toReply(await transport.handleRequest(request, given));
    } finally {
      await server.close();
    }
  }
  // A subscription is a stream without an end, which this server has no use for.
  const handler = sdk.createMcpHandler(makeServer, { legacy: "reject", maxSubscriptions: 0 });
  try {
    return await toReply(await handler.fetch(new Request(request, { signal }), given));
  } finally {
    await handler.close();
  }
}

/** Selects the headers that the protocol uses; the response is always JSON. */
function toHeaders(sent: SentHeaders): Headers {
  const headers = new Headers({
    "Content-Type": "application/json",
    Accept: "application/json, text/event-stream",
  });
  for (const name of passedOn) {
    const [value] = sent.get(name) ?? [];
    if (value !== undefined) headers.set(name, value);
  }
  return headers;
}

async function toReply(response: Response): Promise<Reply> {
  const type = response.headers.get("content-type");
  const body = await response.text();
  return new Reply(body, type === null ? {} : { "Content-Type": type }, response.status);
}
