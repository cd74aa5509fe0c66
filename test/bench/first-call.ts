import { spawn } from "node:child_process";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { pathToFileURL } from "node:url";
import * as z from "zod";

/** Milliseconds of a process that loads a function and responds to one call. */
const FirstCall = z.object({
  /** Import of the bundle. */
  load: z.number(),
  call: z.number(),
  /** Processor time of the whole process. */
  cpu: z.number(),
  status: z.int(),
});
export type FirstCall = z.output<typeof FirstCall> & {
  /** From the start of the process to its response. */
  total: number;
};

/**
 * JavaScript passed on the command line, so that only the bundle is read and compiled. A streaming function has
 * responded when its stream ends.
 */
const starter = `
import { writeSync } from "node:fs";
import { Writable } from "node:stream";
const [, file, event] = process.argv;
let streams = false;
let status = 0;
globalThis.awslambda = {
  streamifyResponse: (handler) => { streams = true; return handler; },
  HttpResponseStream: { from: (stream, head) => { status = head.statusCode; return stream; } },
};
const begin = performance.now();
const { handler } = await import(file);
const loaded = performance.now();
const context = { awsRequestId: "bench", getRemainingTimeInMillis: () => 29000 };
const whole = async () => { status = (await handler(JSON.parse(event), context)).statusCode; };
const streamed = () => new Promise((resolve, reject) => {
  const stream = new Writable({ write: (chunk, encoding, done) => done() });
  stream.on("finish", resolve);
  handler(JSON.parse(event), stream, context).catch(reject);
});
await (streams ? streamed() : whole());
const ended = performance.now();
const { user, system } = process.cpuUsage();
writeSync(3, JSON.stringify({ load: loaded - begin, call: ended - loaded, cpu: (user + system) / 1000, status }));
process.exit();
`;

/** Starts a process for a function's bundle, calls it once, and waits for its exit. */
export const firstCall = async (
  file: string,
  event: string,
  environment: Record<string, string>,
): Promise<FirstCall> => {
  const startedAt = performance.now();
  const child = spawn(
    process.execPath,
    ["--input-type=module", "--eval", starter, pathToFileURL(file).href, event],
    { env: environment, stdio: ["ignore", "ignore", "inherit", "pipe"] },
  );
  const pipe = child.stdio[3];
  if (!(pipe instanceof Readable)) throw new Error("a process without a pipe");
  const written = await text(pipe);
  const total = performance.now() - startedAt;
  if (written === "") throw new Error(`${file} did not respond`);
  const call = FirstCall.parse(JSON.parse(written));
  if (call.status >= 300) throw new Error(`${file} responded with ${call.status}`);
  return { ...call, total };
};
