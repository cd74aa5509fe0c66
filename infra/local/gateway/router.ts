/** A matched resource with its path parameters, percent-encoded as sent. */
export type Match = { resource: string; parameters: Record<string, string> | null };

/** Finds the resource of a path; undefined when there is none. */
export type Router = (path: string) => Match | undefined;

type Node = {
  literals: Map<string, Node>;
  variable: { name: string; node: Node } | undefined;
  greedy: { name: string; resource: string } | undefined;
  resource: string | undefined;
};

const emptyNode = (): Node => ({
  literals: new Map(),
  variable: undefined,
  greedy: undefined,
  resource: undefined,
});

/**
 * Creates a router with the rules of REST APIs: at each level literals precede variables, and variables precede
 * greedy ones; a trailing slash is ignored. A percent-encoded literal (`apiKeys%3Agenerate`) matches too, which is
 * not verified for API Gateway.
 */
export const createRouter = (resources: readonly string[]): Router => {
  const root = emptyNode();
  for (const resource of resources) insert(root, resource);
  return (path) => {
    const segments = (path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path)
      .split("/")
      .slice(1);
    if (segments.length === 1 && segments[0] === "") segments.pop();
    const values: [string, string][] = [];
    const resource = find(root, segments, 0, values);
    if (resource === undefined) return undefined;
    return { resource, parameters: values.length > 0 ? Object.fromEntries(values) : null };
  };
};

const insert = (root: Node, resource: string): void => {
  let node = root;
  for (const segment of resource.split("/").filter((part) => part !== "")) {
    const name = segment.startsWith("{") ? segment.slice(1, -1) : undefined;
    if (name?.endsWith("+")) {
      node.greedy = { name: name.slice(0, -1), resource };
      return;
    }
    if (name !== undefined) {
      node.variable ??= { name, node: emptyNode() };
      node = node.variable.node;
      continue;
    }
    const next = node.literals.get(segment) ?? emptyNode();
    node.literals.set(segment, next);
    node = next;
  }
  node.resource = resource;
};

const find = (
  node: Node,
  segments: readonly string[],
  at: number,
  values: [string, string][],
): string | undefined => {
  const segment = segments[at];
  if (segment === undefined) return node.resource;
  const literal = node.literals.get(segment) ?? node.literals.get(decode(segment));
  const below = literal && find(literal, segments, at + 1, values);
  if (below !== undefined) return below;
  if (node.variable && segment !== "") {
    values.push([node.variable.name, segment]);
    const found = find(node.variable.node, segments, at + 1, values);
    if (found !== undefined) return found;
    values.pop();
  }
  if (node.greedy) {
    values.push([node.greedy.name, segments.slice(at).join("/")]);
    return node.greedy.resource;
  }
  return undefined;
};

const decode = (segment: string): string => {
  if (!segment.includes("%")) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
};
