import { createServer, type IncomingMessage } from "node:http";
import { buffer } from "node:stream/consumers";
import {
  type CallToolResult,
  Server,
  type Tool,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import * as z from "zod";
import { listen } from "./listen.ts";

/** A received request. */
export type McpRequest = {
  method: string;
  headers: IncomingMessage["headers"];
  /** The JSON-RPC method; "" when there is none. */
  rpc: string;
  /** The JSON-RPC id. */
  id: unknown;
};

/** Replaces the response of a request: another response, or none. */
export type McpFault =
  | { status: number; headers?: Record<string, string>; body?: string }
  | { hang: true };

/** Tools and behavior of a fake. */
export type McpBehaviour = {
  tools?: readonly Tool[];
  /** Pages of the list; Infinity for an endless list. */
  pages?: number;
  call?: (
    name: string,
    values: Record<string, unknown>,
    meta: Record<string, unknown> | undefined,
  ) => Promise<CallToolResult> | CallToolResult;
  /** Responds with JSON instead of events. */
  json?: boolean;
  /** Uses sessions. */
  sessions?: boolean;
  /** Returns a fault for a request, if any. */
  fault?: (request: McpRequest) => McpFault | undefined;
};

/** A fake of a remote MCP server. */
export type McpServer = { url: string; requests: McpRequest[]; close: () => Promise<void> };

const serverFor = ({ tools = [], pages = 1, call }: McpBehaviour): Server => {
  const server = new Server({ name: "stand-in", version: "1" }, { capabilities: { tools: {} } });
  server.setRequestHandler("tools/list", ({ params }) => {
    const page = Number(params?.cursor ?? 0);
    if (pages === Infinity) return { tools: [], nextCursor: String(page + 1) };
    const size = Math.ceil(tools.length / pages);
    return {
      tools: tools.slice(page * size, (page + 1) * size),
      ...(page + 1 < pages && { nextCursor: String(page + 1) }),
    };
  });
  server.setRequestHandler("tools/call", async ({ params }) =>
    call
      ? call(params.name, params.arguments ?? {}, params._meta)
      : { content: [{ type: "text", text: `${params.name} ${JSON.stringify(params.arguments)}` }] },
  );
  return server;
};

/** Starts a fake on 127.0.0.1, with a server per session, or per request without sessions. */
export const startMcpServer = async (behaviour: McpBehaviour = {}): Promise<McpServer> => {
  const requests: McpRequest[] = [];
  const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>();
  const openTransport = async (session: string | null) => {
    const open = sessions.get(session ?? "");
    if (open) return open;
    const transport = new WebStandardStreamableHTTPServerTransport({
      enableJsonResponse: behaviour.json ?? false,
      ...(behaviour.sessions && {
        sessionIdGenerator: () => crypto.randomUUID(),
        onsessioninitialized: (id) => void sessions.set(id, transport),
        onsessionclosed: (id) => void sessions.delete(id),
      }),
    });
    await serverFor(behaviour).connect(transport);
    return transport;
  };
  const http = createServer(async (incoming, response) => {
    response.on("error", () => undefined);
    const { method = "", headers } = incoming;
    const body = await buffer(incoming);
    const request = { method, headers, ...parseRpc(body) };
    requests.push(request);
    const fault = behaviour.fault?.(request);
    if (fault && "hang" in fault) return;
    if (fault) {
      response.writeHead(fault.status, fault.headers).end(fault.body);
      return;
    }
    const asked = new Request(`http://stand-in${incoming.url ?? ""}`, {
      method,
      headers: Object.entries(headers).map(([name, value]): [string, string] => [name, `${value}`]),
      ...(body.length > 0 && { body: new Uint8Array(body) }),
    });
    const transport = await openTransport(asked.headers.get("mcp-session-id"));
    const reply = await transport.handleRequest(asked);
    response.writeHead(reply.status, Object.fromEntries(reply.headers));
    for await (const chunk of reply.body ?? []) response.write(chunk);
    response.end();
  });
  const { url, close } = await listen(http);
  return { url: `${url}/mcp`, requests, close };
};

const Message = z.object({ method: z.string().catch(""), id: z.unknown() });

const parseRpc = (body: Buffer): Pick<McpRequest, "rpc" | "id"> => {
  try {
    const { method: rpc, id } = Message.parse(JSON.parse(body.toString()));
    return { rpc, id };
  } catch {
    return { rpc: "", id: undefined };
  }
};
