import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { FunctionRecord, HandlerFile } from "../functions/function-records.ts";

/** Entry module of a function: a file, or generated source. */
export type Entry = { name: string } & ({ file: string } | { source: string });

const pathReader = fileURLToPath(
  new URL("../../lib/platform/http/gateway-path.ts", import.meta.url),
);
const streamer = fileURLToPath(new URL("../../lib/edge/streamed-endpoint.ts", import.meta.url));

/**
 * Returns the entry of a function: its handler's file, or source that selects a handler by the verb of the last path
 * parameter. The first handler gets unknown verbs and responds with 404 or 405.
 */
export const buildEntry = (
  { name, handlers }: Pick<FunctionRecord, "name" | "handlers">,
  root: string,
): Entry => {
  const [first, ...others] = handlers;
  if (!first) throw new Error(`The function "${name}" has no handler.`);
  const isStreaming = handlers.some(({ streams }) => streams);
  if (others.length === 0 && !isStreaming) return { name, file: resolve(root, first.file) };
  const imports = handlers.map(
    ({ file }, at) =>
      `import { handler as handler${at} } from ${JSON.stringify(resolve(root, file))};`,
  );
  const source = [...imports, ...(isStreaming ? streamingSource(handlers) : wholeSource(handlers))];
  return { name, source: source.join("\n") };
};

const streamingSource = (handlers: readonly HandlerFile[]): string[] => {
  const choices = handlers.map(
    ({ verb, streams = false }, at) =>
      `{ verb: ${JSON.stringify(verb)}, streams: ${streams}, handler: handler${at} }`,
  );
  return [
    `import { streamed } from ${JSON.stringify(streamer)};`,
    `export const handler = streamed([${choices.join(", ")}]);`,
  ];
};

const wholeSource = (handlers: readonly HandlerFile[]): string[] => {
  const choices = handlers.map(({ verb }, at) => `[${JSON.stringify(verb)}, handler${at}]`);
  return [
    `import { readArrivedPath } from ${JSON.stringify(pathReader)};`,
    `const byVerb = new Map([${choices.join(", ")}]);`,
    "export const handler = (event, context) => {",
    "  const arrived = readArrivedPath(event.resource, event.pathParameters);",
    "  return (byVerb.get(arrived?.verb) ?? handler0)(event, context);",
    "};",
  ];
};
