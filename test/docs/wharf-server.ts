import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough, Writable } from "node:stream";
import { runWharf } from "../../cli/run.ts";

/** A folder with a command `wharf`, and the function that stops it. */
export type WharfServer = { directory: string; close: () => void };

/** Sends the command line to the server and prints what it responds. Each field ends with a NUL. */
const script = (port: number): string => `#!/bin/bash
exec 3<> /dev/tcp/127.0.0.1/${port}
IFS= read -r -d '' stdin
{ printf '%s\\0' "$#" "$@" "$PWD" "$stdin"; env -0; printf 'end\\0'; } >&3
while IFS= read -r -d '' part <&3; do
  case $part in
    out:*) printf %s "\${part:4}" ;;
    err:*) printf %s "\${part:4}" >&2 ;;
    *) exit "$part" ;;
  esac
done
exit 70
`;

type CommandLine = {
  args: string[];
  cwd: string;
  stdin: string;
  env: Record<string, string>;
};

const end = "\0end\0";

/** Parses the fields of a command line; undefined until all were received. */
const parse = (received: string): CommandLine | undefined => {
  if (!received.endsWith(end)) return undefined;
  const [count, ...fields] = received.slice(0, -end.length).split("\0");
  const args = fields.splice(0, Number(count));
  const [cwd = "", stdin = "", ...environment] = fields;
  const entries = environment.map((entry): [string, string] => {
    const at = entry.indexOf("=");
    return [entry.slice(0, at), entry.slice(at + 1)];
  });
  return { args, cwd, stdin, env: Object.fromEntries(entries) };
};

const run = async ({ stdin: text, ...line }: CommandLine, socket: Socket): Promise<void> => {
  const stdin = new PassThrough();
  stdin.end(text);
  const printTo = (name: string) =>
    new Writable({
      write: (chunk: Buffer, _, done) => {
        socket.write(`${name}:${chunk.toString("utf8")}\0`);
        done();
      },
    });
  const exitCode = await runWharf(line.args, {
    ...line,
    stdin,
    stdout: printTo("out"),
    stderr: printTo("err"),
    openBrowser: () => undefined,
    interrupt: () => new AbortController().signal,
  });
  socket.end(`${exitCode}\0`);
};

/** Offers a command `wharf` that runs in this process: loading the tool takes longer than most of its commands. */
export const startWharfServer = async (): Promise<WharfServer> => {
  const server = createServer((socket) => {
    const chunks: Buffer[] = [];
    socket.on("error", () => undefined);
    socket.on("data", (chunk) => {
      chunks.push(chunk);
      const line = parse(Buffer.concat(chunks).toString("utf8"));
      if (line) void run(line, socket);
    });
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  const port = typeof address === "object" ? (address?.port ?? 0) : 0;
  const directory = mkdtempSync(join(tmpdir(), "wharf-command-"));
  writeFileSync(join(directory, "wharf"), script(port), { mode: 0o755 });
  return {
    directory,
    close: () => {
      server.close();
      rmSync(directory, { recursive: true });
    },
  };
};
