import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import { text } from "node:stream/consumers";
import { getItem, updateItem, writeEnd, writeStart } from "./storage-calls.ts";

/*
 * A bare Node server in a process of its own, and what it does for each path: the storage calls of a warm
 * function. Sends its port, and on request the processor time that it has used.
 */

const works: Readonly<Record<string, (body: string) => Promise<unknown>>> = {
  "/nothing": async () => ({ status: "ok" }),
  "/update-item": updateItem,
  "/parse": async (body) => {
    const { ref } = JSON.parse(body);
    await updateItem();
    return { ref };
  },
  "/execute": async () => {
    const id = randomUUID();
    await updateItem();
    await getItem();
    await writeStart(id);
    await writeEnd(id);
    return { id };
  },
};

const listener: RequestListener = (request, response) => {
  respond(request).then(
    (body) => response.writeHead(200, { "content-type": "application/json" }).end(body),
    (error: unknown) => response.writeHead(500).end(String(error)),
  );
};

const respond = async (request: IncomingMessage): Promise<string> => {
  const body = await text(request);
  const work = works[request.url ?? ""];
  if (!work) throw new Error(`there is no ${request.url}`);
  return JSON.stringify(await work(body));
};

const server = createServer(listener).listen(0, "127.0.0.1", () => {
  const address = server.address();
  process.send?.({ port: typeof address === "object" && address ? address.port : 0 });
});
process.on("message", () => {
  const { user, system } = process.cpuUsage();
  process.send?.({ cpuMicroseconds: user + system });
});
