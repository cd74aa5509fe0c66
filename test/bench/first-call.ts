import { spawn } from "node:child_process";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { pathToFileURL } from "node:url";
import * as z from "zod";

/** Milliseconds of a process that loads a function and answers one call. */
const FirstCall = z.object({
  /** Of the import of the bundle. */
  load: z.number(),
  call: z.number(),
  /** Processor time of the whole process. */
  cpu: z.number(),
  status: z.int(),
});
export type FirstCall = z.output<typeof FirstCall> & {
  /** From before the process to its answer. */
  total: number;
};

/** Plain JavaScript, given on the command line: nothing is compiled or read but the bundle. */
const starter = `
import { writeSync } from "node:fs";
const [, file, event] = process.argv;
const begin = performance.now();
const { handler } = await import(file);
const loaded = performance.now();
const { statusCode } = await handler(JSON.parse(event), { awsRequestId: "bench", getRemainingTimeInMillis: () => 29000 });
const answered = performance.now();
const { user, system } = process.cpuUsage();
writeSync(3, JSON.stringify({ load: loaded - begin, call: answered - loaded, cpu: (user + system) / 1000, status: statusCode }));
process.exit();
`;

/** Starts a process for a function's bundle, calls it once, and lets it end. */
export const firstCall = async (
  file: string,
  event: string,
  environment: Record<string, string>,
): Promise<FirstCall> => {
  const begin = performance.now();
  const child = spawn(
    process.execPath,
    ["--input-type=module", "--eval", starter, pathToFileURL(file).href, event],
    { env: environment, stdio: ["ignore", "ignore", "inherit", "pipe"] },
  );
  const answer = child.stdio[3];
  if (!(answer instanceof Readable)) throw new Error("a process without a pipe");
  const written = await text(answer);
  const total = performance.now() - begin;
  if (written === "") throw new Error(`${file} did not answer`);
  const call = FirstCall.parse(JSON.parse(written));
  if (call.status >= 300) throw new Error(`${file} answered ${call.status}`);
  return { ...call, total };
};
