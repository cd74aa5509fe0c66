import * as z from "zod";

/** The response to the client. `headers` alternates names and values, as for `writeHead`. */
export type ProxyResponse = { status: number; headers: string[]; body: Buffer | string };

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

/** Headers that API Gateway renames in a function's response. */
const remapped = new Set([
  "authorization",
  "connection",
  "content-md5",
  "date",
  "server",
  "user-agent",
  "www-authenticate",
]);

const managedByServer = new Set(["content-length", "transfer-encoding", "keep-alive"]);

/** Lambda's limit on a response payload, in bytes. */
const largestResult = 6_291_556;

/** Parses the result of a Lambda proxy integration; undefined when it is malformed. */
export const readResult = (payload: string): ProxyResponse | undefined => {
  if (payload.length > largestResult) return undefined;
  const parsed = ProxyResult.safeParse(JSON.parse(payload));
  if (!parsed.success) return undefined;
  const { statusCode, body, isBase64Encoded } = parsed.data;
  return {
    status: statusCode,
    headers: toHeaderLines(parsed.data),
    body: isBase64Encoded ? Buffer.from(body ?? "", "base64") : (body ?? ""),
  };
};

/** Parses the JSON head of a streamed response; undefined when it is malformed. */
export const readHead = (text: string): Omit<ProxyResponse, "body"> | undefined => {
  try {
    const head = Head.parse(JSON.parse(text));
    return { status: head.statusCode, headers: toHeaderLines(head) };
  } catch {
    return undefined;
  }
};

const toHeaderLines = ({ headers, multiValueHeaders }: z.output<typeof Head>): string[] => {
  const lines: string[] = [];
  let hasContentType = false;
  const add = (name: string, value: string): void => {
    const key = name.toLowerCase();
    if (managedByServer.has(key)) return;
    if (key === "content-type") hasContentType = true;
    lines.push(remapped.has(key) ? `x-amzn-Remapped-${name}` : name, value);
    // AWS drops it, although RFC 9110 requires it on a 401. The local gateway sends both.
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
