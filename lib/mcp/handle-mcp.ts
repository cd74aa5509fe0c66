import type { Headers as SentHeaders } from "../platform/http/request.ts";
import type { McpBody } from "./schemas.ts";
import { mcpServer, type ServerOptions } from "./server.ts";

/** A message received over Streamable HTTP. */
export type McpCall = {
  body: McpBody;
  headers: SentHeaders;
  /** Base URL of the API for this caller. */
  baseUrl: string;
};

/** A response of Streamable HTTP. `contentType` is null for a response without a body. */
export type McpHttpResponse = { status: number; contentType: string | null; body: string };

const forwardedHeaders = ["origin", "mcp-protocol-version", "mcp-method", "mcp-name"];

/**
 * Responds to a Model Context Protocol message without a session: a JSON body, or 202 when no response is due.
 * Supports the 2026-07-28 revision, and those of 2025, which a client initializes first.
 */
export const handleMcp = async (
  { body, headers, baseUrl }: McpCall,
  options: Omit<ServerOptions, "version">,
): Promise<McpHttpResponse> => {
  const sdk = await import("@modelcontextprotocol/server");
  const own = new URL(baseUrl);
  const request = new Request(own, { method: "POST", headers: toHeaders(headers) });
  const refused = sdk.originValidationResponse(request, [own.hostname]);
  if (refused) return readResponse(refused);
  const { signal } = options;
  const [version] = headers.get("mcp-protocol-version") ?? [];
  const makeServer = () => mcpServer(sdk, { ...options, version });
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
  // A subscription is a stream without an end, which this server has no use for.
  const handler = sdk.createMcpHandler(makeServer, { legacy: "reject", maxSubscriptions: 0 });
  try {
    return await readResponse(await handler.fetch(new Request(request, { signal }), parsed));
  } finally {
    await handler.close();
  }
};

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
