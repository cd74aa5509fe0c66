import { resolve } from "node:path";
import type { FunctionRecord } from "../functions.ts";

/** A function's entry module: a file, or the source of a module that is made here. */
export type Entry = { name: string } & ({ file: string } | { source: string });

const pathReader = resolve(import.meta.dirname, "../../lib/http/gateway-path.ts");

/**
 * One handler is its own entry. Several are told apart by the verb of the last path parameter; a verb
 * that none of them has goes to the first, which answers 404 or 405.
 */
export const entryOf = (
  { name, handlers }: Pick<FunctionRecord, "name" | "handlers">,
  root: string,
): Entry => {
  const [first, ...others] = handlers;
  if (!first) throw new Error(`The function "${name}" has no handler.`);
  if (others.length === 0) return { name, file: resolve(root, first.file) };
  const imports = handlers.map(
    ({ file }, at) =>
      `import { handler as handler${at} } from ${JSON.stringify(resolve(root, file))};`,
  );
  const choices = handlers.map(({ verb }, at) => `[${JSON.stringify(verb)}, handler${at}]`);
  return {
    name,
    source: [
      `import { readArrivedPath } from ${JSON.stringify(pathReader)};`,
      ...imports,
      `const byVerb = new Map([${choices.join(", ")}]);`,
      "export const handler = (event, context) => {",
      "  const arrived = readArrivedPath(event.resource, event.pathParameters);",
      "  return (byVerb.get(arrived?.verb) ?? handler0)(event, context);",
      "};",
    ].join("\n"),
  };
};
