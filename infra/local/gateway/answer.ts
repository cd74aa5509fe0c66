import * as z from "zod";

/** What goes back to the client. Header names and values in turn, as `writeHead` takes them. */
export type Answer = { status: number; headers: string[]; body: Buffer | string };

const Value = z.union([z.string(), z.number(), z.boolean()]).transform(String);

const Head = z.object({
  statusCode: z.coerce.number().int().min(100).max(599),
  headers: z.record(z.string(), Value).nullish(),
  multiValueHeaders: z.record(z.string(), z.array(Value)).nullish(),
});

const ProxyResult = Head.extend({
  body: z.string().nullish(),
  isBase64Encoded: z.boolean().nullish(),
});

/** Headers of a function that reach clients under another name. */
const remapped = new Set([
  "authorization",
  "connection",
  "content-md5",
  "date",
  "server",
  "user-agent",
  "www-authenticate",
]);

const ownToTheServer = new Set(["content-length", "transfer-encoding", "keep-alive"]);

/** Lambda's limit on what a function returns, in bytes. */
const largestResult = 6_291_556;

/** Reads what a function returned, by the rules of a Lambda proxy integration; undefined when it breaks them. */
export const readResult = (payload: string): Answer | undefined => {
  if (payload.length > largestResult) return undefined;
  const parsed = ProxyResult.safeParse(JSON.parse(payload));
  if (!parsed.success) return undefined;
  const { statusCode, body, isBase64Encoded } = parsed.data;
  return {
    status: statusCode,
    headers: linesOf(parsed.data),
    body: isBase64Encoded ? Buffer.from(body ?? "", "base64") : (body ?? ""),
  };
};

/** Reads the head of a streamed answer, JSON; undefined when it is none. */
export const readHead = (text: string): Omit<Answer, "body"> | undefined => {
  try {
    const head = Head.parse(JSON.parse(text));
    return { status: head.statusCode, headers: linesOf(head) };
  } catch {
    return undefined;
  }
};

const linesOf = ({ headers, multiValueHeaders }: z.output<typeof Head>): string[] => {
  const lines: string[] = [];
  let hasContentType = false;
  const add = (name: string, value: string): void => {
    const key = name.toLowerCase();
    if (ownToTheServer.has(key)) return;
    if (key === "content-type") hasContentType = true;
    lines.push(remapped.has(key) ? `x-amzn-Remapped-${name}` : name, value);
    // A 401 has it (RFC 9110): unlike AWS, which takes it away, this machine may say it too.
    if (key === "www-authenticate") lines.push(name, value);
  };
  const several = multiValueHeaders ?? {};
  const severalNames = new Set(Object.keys(several).map((name) => name.toLowerCase()));
  for (const [name, value] of Object.entries(headers ?? {})) {
    if (!severalNames.has(name.toLowerCase())) add(name, value);
  }
  for (const [name, values] of Object.entries(several)) {
    for (const value of values) add(name, value);
  }
  if (!hasContentType) lines.push("Content-Type", "application/json");
  return lines;
};
