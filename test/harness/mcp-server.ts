import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import { buffer } from "node:stream/consumers";
import {
  type CallToolResult,
  Server,
  type Tool,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import * as z from "zod";

/** A request that a stand-in got. */
export type McpRequest = {
  method: string;
  headers: IncomingMessage["headers"];
  /** The JSON-RPC method; "" when there is none. */
  rpc: string;
  /** The JSON-RPC id. */
  id: unknown;
};

/** What a request gets in place of what the server would do: an answer of its own, or none at all. */
export type McpFault =
  | { status: number; headers?: Record<string, string>; body?: string }
  | { hang: true };

/** What a stand-in has and does. */
export type McpBehaviour = {
  tools?: readonly Tool[];
  /** Of the list; Infinity for a list without an end. */
  pages?: number;
  call?: (
    name: string,
    values: Record<string, unknown>,
  ) => Promise<CallToolResult> | CallToolResult;
  /** Answers as JSON, else as events. */
  json?: boolean;
  /** Keeps sessions, else none. */
  sessions?: boolean;
  /** What a request gets in place of the server's own answer. */
  fault?: (request: McpRequest) => McpFault | undefined;
};

/** A stand-in for a remote MCP server. */
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
      ? call(params.name, params.arguments ?? {})
      : { content: [{ type: "text", text: `${params.name} ${JSON.stringify(params.arguments)}` }] },
  );
  return server;
};

/** Starts a stand-in on 127.0.0.1. Each session, or each request without one, has a server of its own. */
export const startMcpServer = async (behaviour: McpBehaviour = {}): Promise<McpServer> => {
  const requests: McpRequest[] = [];
  const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>();
  const transportOf = async (session: string | null) => {
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
    const request = { method, headers, ...rpcOf(body) };
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
    const transport = await transportOf(asked.headers.get("mcp-session-id"));
    const answer = await transport.handleRequest(asked);
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    for await (const chunk of answer.body ?? []) response.write(chunk);
    response.end();
  });
  http.listen(0, "127.0.0.1");
  await once(http, "listening");
  const address = http.address();
  const port = typeof address === "object" && address ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    requests,
    close: async () => {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
};

const Message = z.object({ method: z.string().catch(""), id: z.unknown() });

const rpcOf = (body: Buffer): Pick<McpRequest, "rpc" | "id"> => {
  try {
    const { method: rpc, id } = Message.parse(JSON.parse(body.toString()));
    return { rpc, id };
  } catch {
    return { rpc: "", id: undefined };
  }
};
