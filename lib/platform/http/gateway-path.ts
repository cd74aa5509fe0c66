/**
 * Maps a path of the interface to a path of API Gateway, and back.
 *
 * A REST API takes only whole-segment variables, and one variable name per level, so
 * `/v1/tenants/{tenant}/agents/{agent}:execute` becomes resource `/v1/tenants/{p1}/agents/{p2}`
 * with the verb `execute`, which are separated when the request arrives.
 */
export type GatewayPath = {
  /** The gateway's resource, its variables named by position: `{p1}`, `{p2}`, … */
  resource: string;
  /** The custom method behind a last variable (`execute`), or "". */
  verb: string;
  /** The interface's variable names, in order of position. */
  names: string[];
};

const verbAtEnd = /\}:([A-Za-z][A-Za-z-]*)$/;

/** Maps an interface path to its gateway resource and verb. */
export const toGatewayPath = (path: string): GatewayPath => {
  const verb = verbAtEnd.exec(path)?.[1] ?? "";
  const bare = verb === "" ? path : path.slice(0, -(verb.length + 1));
  const names: string[] = [];
  const resource = bare.replaceAll(/\{([^{}]+)\}/g, (_, name: string) => `{p${names.push(name)}}`);
  return { resource, verb, names };
};

/** Path parameters of a request: the decoded values by position, and the verb split from the last one. */
export type ArrivedPath = { values: string[]; verb: string };

/**
 * Reads the path parameters of a proxy event, which arrive percent-encoded: decoded once, then split
 * at the last colon of a trailing variable. Undefined when the encoding is broken.
 */
export const readArrivedPath = (
  resource: string,
  pathParameters: Record<string, string | undefined> | null,
): ArrivedPath | undefined => {
  const count = resource.match(/\{/g)?.length ?? 0;
  const values: string[] = [];
  for (let position = 1; position <= count; position += 1) {
    const value = decodeOnce(pathParameters?.[`p${position}`] ?? "");
    if (value === undefined) return undefined;
    values.push(value);
  }
  if (!resource.endsWith("}")) return { values, verb: "" };
  const last = values.pop() ?? "";
  const colon = last.lastIndexOf(":");
  if (colon === -1) return { values: [...values, last], verb: "" };
  return { values: [...values, last.slice(0, colon)], verb: last.slice(colon + 1) };
};

const decodeOnce = (value: string): string | undefined => {
  try {
    return decodeURIComponent(value);
  } catch {
    return undefined;
  }
};
