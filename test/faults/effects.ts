import { once } from "node:events";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import * as z from "zod";

/** Counts what executions and chats did outside of the product, by name; also embeds texts. */
export type Effects = {
  url: string;
  /** In the order of the first effect of each name. */
  counts: ReadonlyMap<string, number>;
  /** The last body that was sent to each name. */
  bodies: ReadonlyMap<string, string>;
  /** Delays responses until `release`: work stays in progress. Requests in the meantime count. */
  hold: () => void;
  release: () => void;
  close: () => Promise<void>;
};

const Published = z.object({ type: z.string(), data: z.looseObject({ approvalId: z.string() }) });
const Reply = z.object({ text: z.string() });
const Texts = z.looseObject({ input: z.array(z.string()) });
const dimensions = 8;

/**
 * Starts the server: `POST /effects/NAME`, `POST /replies`, `POST /events` of approvals, and `POST /v1/embeddings` of an
 * OpenAI-compatible model.
 */
export const startEffects = async (): Promise<Effects> => {
  const counts = new Map<string, number>();
  const bodies = new Map<string, string>();
  let gate = Promise.withResolvers<void>();
  gate.resolve();
  const server = createServer(async (incoming, response) => {
    response.on("error", () => undefined);
    const body = await text(incoming);
    const { url = "" } = incoming;
    const result = url.startsWith("/v1/") ? embed(body) : { ok: true };
    if (!url.startsWith("/v1/")) {
      const name = readName(url, body);
      counts.set(name, (counts.get(name) ?? 0) + 1);
      bodies.set(name, body);
    }
    // Events are no work in progress: nothing else waits for them.
    if (url !== eventsPath) await gate.promise;
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(result));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    counts,
    bodies,
    hold: () => {
      gate = Promise.withResolvers();
    },
    release: () => gate.resolve(),
    close: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
};

/** Returns the name of an effect, of a reply, or of an event: `nameEvent`. */
const readName = (url: string, body: string): string => {
  if (url.startsWith("/effects/")) return url.slice("/effects/".length);
  const sent: unknown = JSON.parse(body);
  if (url !== eventsPath) return Reply.parse(sent).text;
  const { type, data } = Published.parse(sent);
  return nameEvent(type, data.approvalId);
};

/** Path of the events of approvals. */
export const eventsPath = "/events";

/** Returns the name by which an event of an approval is counted. */
export const nameEvent = (type: string, approvalId: string): string => `${type} ${approvalId}`;

const embed = (body: string) => {
  const { input } = Texts.parse(JSON.parse(body));
  const data = input.map((text, index) => ({
    index,
    embedding: Array.from({ length: dimensions }, (_, at) => 1 + (text.charCodeAt(at) || 0)),
  }));
  return { data, usage: { prompt_tokens: input.length } };
};
