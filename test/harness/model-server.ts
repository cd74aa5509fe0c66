import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import * as z from "zod";
import { listen } from "./listen.ts";
import { anthropicMessages } from "./model-wires/anthropic-messages.ts";
import { bedrockConverse } from "./model-wires/bedrock-converse.ts";
import { chatCompletions } from "./model-wires/chat-completions.ts";
import { googleGenerate } from "./model-wires/google-generate.ts";
import { type FakeModel, listFakeModels } from "./model-wires/model-list.ts";
import { openaiResponses } from "./model-wires/openai-responses.ts";
import type {
  ModelReply,
  ModelRequest,
  PlannedReply,
  ServiceError,
  Wire,
} from "./model-wires/wire.ts";

export type { ModelRequest, PlannedReply } from "./model-wires/wire.ts";

/** A break of a response: it ends, its connection breaks, nothing more is sent, an event is not valid, or is an error. */
export type Break = "end" | "reset" | "silence" | "malformed" | { readonly error: ServiceError };

/**
 * The response to the next request: a model's response; a status with headers and a body; an error of the service; a
 * response that breaks before or after its first text; or a fault: `hang` never responds, `drop` closes the connection
 * immediately, `stall` sends half of a streamed response and then nothing, `garbage` is not in any service's format, `truncated`
 * ends after half of a response, `reset` breaks the connection half-way.
 */
export type Scripted =
  | PlannedReply
  | { error: ServiceError; headers?: Record<string, string> }
  | { breaks: "before" | "after"; by: Break }
  /** A delayed response. */
  | { after: Promise<unknown>; reply: PlannedReply }
  /** A streamed response that waits before its second piece of text, its third and so on, and before its end. */
  | { pauses: readonly Promise<unknown>[]; reply: PlannedReply }
  | { status: number; headers?: Record<string, string>; body?: string }
  | { fault: "hang" | "drop" | "stall" | "garbage" | "truncated" | "reset"; reply?: PlannedReply };

/** A fake of the services that run models. */
export type ModelServer = {
  /** Its origin. Append /v1 for OpenAI, compatible services and Anthropic, /v1beta for Google. */
  url: string;
  /** Received requests, in order. */
  requests: ModelRequest[];
  /** Queues responses; when the queue is empty, every request gets `fallback`. */
  script: (...replies: readonly Scripted[]) => void;
  close: () => Promise<void>;
};

const wires: readonly Wire[] = [
  openaiResponses,
  chatCompletions,
  anthropicMessages,
  googleGenerate,
  bedrockConverse,
];

const Body = z.record(z.string(), z.unknown()).catch({});

/** Starts a fake on 127.0.0.1. */
export const startModelServer = async ({
  port = 0,
  models = [{ id: "small" }, { id: "large", displayName: "Large" }],
  fallback = { text: ["Hello ", "there."], usage: { inputTokens: 10, outputTokens: 3 } },
}: {
  port?: number;
  /** The models that it lists. A list is sent when no other response is queued. */
  models?: readonly FakeModel[];
  fallback?: Scripted;
} = {}): Promise<ModelServer> => {
  const queue: Scripted[] = [];
  const requests: ModelRequest[] = [];
  const server = createServer(async (incoming, response) => {
    response.on("error", () => undefined);
    const request = await readRequest(incoming);
    requests.push(request);
    const list = queue.length === 0 ? listFakeModels(request, models) : undefined;
    if (list !== undefined) {
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(list));
      return;
    }
    const scripted = queue.shift() ?? fallback;
    if ("after" in scripted) await scripted.after;
    if ("pauses" in scripted) await streamSlowly(request, response, scripted);
    else respond(request, response, "after" in scripted ? scripted.reply : scripted);
  });
  return {
    ...(await listen(server, port)),
    requests,
    script: (...replies) => {
      queue.push(...replies);
    },
  };
};

const readRequest = async (incoming: IncomingMessage): Promise<ModelRequest> => {
  const content = await text(incoming);
  const headers = Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]);
  return {
    method: incoming.method ?? "",
    path: incoming.url ?? "",
    headers: Object.fromEntries(headers),
    body: content === "" ? {} : Body.parse(JSON.parse(content)),
  };
};

const respond = (
  request: ModelRequest,
  response: ServerResponse,
  scripted: Exclude<Scripted, { after: Promise<unknown> } | { pauses: readonly unknown[] }>,
): void => {
  if ("status" in scripted) {
    response.writeHead(scripted.status, scripted.headers).end(scripted.body);
    return;
  }
  const fault = "fault" in scripted ? scripted.fault : undefined;
  if (fault === "hang") return;
  if (fault === "drop") {
    response.destroy();
    return;
  }
  const wire = wires.find(({ matches }) => matches(request.path));
  if (!wire) {
    response.writeHead(404, { "content-type": "application/json" }).end('{"error":"no such path"}');
    return;
  }
  if ("error" in scripted) {
    const { status, body } = wire.error(scripted.error);
    const headers = { "content-type": "application/json", ...scripted.headers };
    response.writeHead(status, headers).end(JSON.stringify(body));
    return;
  }
  if ("breaks" in scripted) {
    breakResponse(wire, request, response, scripted);
    return;
  }
  const reply = toModelReply("fault" in scripted ? scripted.reply : scripted, request);
  const streamed = wire.isStreamed(request);
  response.writeHead(200, { "content-type": streamed ? wire.streamType : "application/json" });
  if (fault === "garbage") {
    response.end("<html>not a model</html>");
    return;
  }
  const chunks = streamed
    ? wire.chunks(reply, request)
    : [JSON.stringify(wire.whole(reply, request))];
  if (fault === undefined) {
    for (const chunk of chunks) response.write(chunk);
    response.end();
    return;
  }
  const all = Buffer.concat(chunks.map((chunk) => Buffer.from(chunk)));
  const half = all.subarray(0, Math.floor(all.length / 2));
  if (fault === "truncated") response.end(half);
  else response.write(half, () => fault === "reset" && response.destroy());
};

/** Sends a streamed response with a pause after each piece of its text. */
const streamSlowly = async (
  request: ModelRequest,
  response: ServerResponse,
  { pauses, reply }: Extract<Scripted, { pauses: unknown }>,
): Promise<void> => {
  const wire = wires.find(({ matches }) => matches(request.path));
  if (!wire?.isStreamed(request)) throw new Error(`${request.path} is not streamed`);
  const planned = toModelReply(reply, request);
  const pieces = [...planned.pieces];
  const waits = [...pauses];
  response.writeHead(200, { "content-type": wire.streamType });
  for (const chunk of wire.chunks(planned, request)) {
    response.write(chunk);
    if (pieces[0] === undefined || !Buffer.from(chunk).includes(pieces[0])) continue;
    pieces.shift();
    await waits.shift();
  }
  response.end();
};

/** Sends a response until before or after its first text, and breaks it there; the text is not in whole responses. */
const breakResponse = (
  wire: Wire,
  request: ModelRequest,
  response: ServerResponse,
  { breaks, by }: Extract<Scripted, { breaks: unknown }>,
): void => {
  const reply = toModelReply({ text: ["First, ", "second."] }, request);
  if (!wire.isStreamed(request)) {
    const body = JSON.stringify(
      typeof by === "object" ? wire.error(by.error).body : wire.whole(reply, request),
    );
    response.writeHead(200, { "content-type": "application/json" });
    if (typeof by === "object") response.end(body);
    else send(response, body.slice(0, body.length / 2), by, "{]");
    return;
  }
  const chunks = wire.chunks(reply, request).map((chunk) => Buffer.from(chunk));
  const first = chunks.findIndex((chunk) => chunk.includes("First") && !chunk.includes("second"));
  response.writeHead(200, { "content-type": wire.streamType });
  const sent = Buffer.concat(chunks.slice(0, breaks === "before" ? first : first + 1));
  if (typeof by === "object") {
    response.end(Buffer.concat([sent, Buffer.from(wire.errorChunk(by.error))]));
  } else send(response, sent, by, wire === bedrockConverse ? "no event" : "data: {]\n\n");
};

const send = (
  response: ServerResponse,
  sent: string | Buffer,
  by: Exclude<Break, object>,
  malformed: string,
): void => {
  if (by === "end") response.end(sent);
  else if (by === "malformed")
    response.end(Buffer.concat([Buffer.from(sent), Buffer.from(malformed)]));
  else {
    response.flushHeaders();
    response.write(sent, () => by === "reset" && response.destroy());
  }
};

const toModelReply = (
  planned: PlannedReply = { text: "Hello." },
  { body, path }: ModelRequest,
): ModelReply => {
  const calls = (planned.toolCalls ?? []).map((call, at) => ({
    id: call.id ?? `call_${at + 1}`,
    name: call.name,
    arguments: call.arguments,
    json: typeof call.arguments === "string" ? call.arguments : JSON.stringify(call.arguments),
  }));
  const pieces = typeof planned.text === "string" ? [planned.text] : (planned.text ?? []);
  return {
    pieces,
    text: pieces.join(""),
    reasoning: planned.reasoning,
    calls,
    usage: {
      inputTokens: 0,
      outputTokens: 0,
      cachedTokens: 0,
      thinkingTokens: 0,
      cacheWriteTokens: 0,
      cacheWriteHourTokens: 0,
      ...planned.usage,
    },
    finish: planned.finish ?? (calls.length > 0 ? "tool-calls" : "stop"),
    model:
      typeof body.model === "string" ? body.model : (/models?\/([^/:]+)/.exec(path)?.[1] ?? ""),
  };
};

if (import.meta.main) {
  const { url } = await startModelServer({ port: Number(process.env.PORT ?? 0) });
  console.log(url);
}
