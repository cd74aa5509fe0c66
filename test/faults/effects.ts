import { once } from "node:events";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import * as z from "zod";

/** Counts what executions and chats did outside of the product, by name; also embeds texts. */
export type Effects = {
  url: string;
  /** In the order of the first effect of each name. */
  counts: ReadonlyMap<string, number>;
  /** Delays responses until `release`: work stays in progress. Requests in the meantime count. */
  hold: () => void;
  release: () => void;
  close: () => Promise<void>;
};

const Reply = z.object({ text: z.string() });
const Texts = z.looseObject({ input: z.array(z.string()) });
const dimensions = 8;

/** Starts the server: `POST /effects/NAME`, `POST /replies`, and `POST /v1/embeddings` of an OpenAI-compatible model. */
export const startEffects = async (): Promise<Effects> => {
  const counts = new Map<string, number>();
  let gate = Promise.withResolvers<void>();
  gate.resolve();
  const server = createServer(async (incoming, response) => {
    response.on("error", () => undefined);
    const body = await text(incoming);
    const { url = "" } = incoming;
    const result = url.startsWith("/v1/") ? embed(body) : { ok: true };
    if (!url.startsWith("/v1/")) {
      const isEffect = url.startsWith("/effects/");
      const name = isEffect ? url.slice("/effects/".length) : Reply.parse(JSON.parse(body)).text;
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
    await gate.promise;
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(result));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    counts,
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

const embed = (body: string) => {
  const { input } = Texts.parse(JSON.parse(body));
  const data = input.map((text, index) => ({
    index,
    embedding: Array.from({ length: dimensions }, (_, at) => 1 + (text.charCodeAt(at) || 0)),
  }));
  return { data, usage: { prompt_tokens: input.length } };
};
