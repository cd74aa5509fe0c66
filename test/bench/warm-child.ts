import { Writable } from "node:stream";
import { pathToFileURL } from "node:url";
import * as z from "zod";

/*
 * A function in a process of its own, as Lambda runs it: one call at a time. On `calls` it makes that many calls and
 * sends the processor time that they used.
 */

const Started = z.object({ file: z.string(), event: z.string() });
const Order = z.object({ calls: z.int() });

let streams = false;
let status = 0;
Object.assign(globalThis, {
  awslambda: {
    streamifyResponse: (handler: unknown) => {
      streams = true;
      return handler;
    },
    HttpResponseStream: {
      from: (stream: unknown, head: { statusCode: number }) => {
        status = head.statusCode;
        return stream;
      },
    },
  },
});
process.stdout.write = () => true;

const Handler = z.function({ input: z.array(z.unknown()), output: z.unknown() });
const Response = z.object({ statusCode: z.int() });
const context = () => ({ awsRequestId: "bench", getRemainingTimeInMillis: () => 29_000 });

const call = async (handler: z.output<typeof Handler>, event: string): Promise<void> => {
  if (!streams) {
    status = Response.parse(await handler(JSON.parse(event), context())).statusCode;
  } else {
    const stream = new Writable({ write: (_chunk, _encoding, done) => done() });
    const finished = new Promise((resolve) => stream.on("finish", resolve));
    await handler(JSON.parse(event), stream, context());
    await finished;
  }
  if (status >= 300) throw new Error(`responded with ${status}`);
};

process.once("message", async (message) => {
  const { file, event } = Started.parse(message);
  const { handler } = z
    .object({ handler: z.custom<z.output<typeof Handler>>((value) => typeof value === "function") })
    .parse(await import(pathToFileURL(file).href));
  process.on("message", async (order) => {
    const { calls } = Order.parse(order);
    const before = process.cpuUsage();
    for (let at = 0; at < calls; at += 1) await call(handler, event);
    const { user, system } = process.cpuUsage(before);
    process.send?.({ cpuMicroseconds: (user + system) / calls });
  });
  process.send?.({ cpuMicroseconds: 0 });
});
