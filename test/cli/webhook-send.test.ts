import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createKey, everyProvider, providerAndSample, toInbound } from "../harness/webhooks.ts";
import { keyId } from "./records.ts";
import { type Run, runWharf } from "./run-wharf.ts";

type Arrived = { path: string; headers: IncomingHttpHeaders; body: string };

const webhooks = "/v1/tenants/demo/webhooks/";
const arrived: Arrived[] = [];
let baseUrl = "";
let status = 204;

/** An API with one webhook, of the provider `provider`, and the address of its deliveries. */
let provider = "github";
const server = createServer(async (request, response) => {
  const path = request.url ?? "";
  if (path.startsWith(webhooks)) {
    response.writeHead(200, { "content-type": "application/json" });
    const webhookUrl = `${baseUrl}/in/${provider}`;
    return void response.end(JSON.stringify({ id: keyId(1), provider, webhookUrl }));
  }
  arrived.push({ path, headers: request.headers, body: await text(request) });
  response.writeHead(status, { "content-type": "application/problem+json" });
  response.end(status === 204 ? "" : JSON.stringify({ title: "Refused", detail: "Too old." }));
});

beforeAll(async () => {
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  baseUrl = `http://127.0.0.1:${typeof address === "object" ? address?.port : undefined}`;
});
beforeEach(() => {
  arrived.length = 0;
  status = 204;
  provider = "github";
});
afterAll(() => {
  server.close();
});

const send = (
  args: readonly string[],
  env: Record<string, string> = {},
  stdin = "",
): Promise<Run> =>
  runWharf(["webhooks", "send", keyId(1), ...args], {
    stdin,
    env: { WHARF_URL: baseUrl, WHARF_TENANT: "demo", WHARF_TOKEN: "a-token", ...env },
  });

const isSigned = (id: string, { headers, body }: Arrived, secret: string): boolean => {
  const flat = Object.entries(headers).map(([name, value]) => [name, String(value)]);
  const request = toInbound({ headers: Object.fromEntries(flat), body });
  return providerAndSample(id).provider.signing.verify(request, secret, Date.now());
};

describe("wharf webhooks send", () => {
  test.each(everyProvider.filter(({ sample }) => sample.signature.coversBody !== false))(
    "signs a sample of $id as the provider does",
    async ({ id, sample }) => {
      provider = id;
      const { key, secret } = createKey(sample);
      const run = await send(["--secret-env", "SECRET"], { SECRET: key });
      expect(run).toMatchObject({ exitCode: 0, stdout: "" });
      expect(isSigned(id, arrived[0]!, secret)).toBe(true);
      expect(arrived[0]!.headers.authorization).not.toBe("Bearer a-token");
    },
  );

  test("signs a body of one's own, and appends a key to the URL, printing neither", async () => {
    const body = '{"action": "closed"}';
    const env = { SECRET: "the-secret", KEY: "wharf_live_key" };
    const run = await send(
      ["--event", "issues", "--secret-env", "SECRET", "--key-env", "KEY", "--body-file", "-"],
      env,
      body,
    );
    expect(run.stderr).toBe(`Sent github issues: 204. See wharf webhooks deliveries ${keyId(1)}\n`);
    expect(arrived).toMatchObject([
      { path: "/in/github/wharf_live_key", body, headers: { "x-github-event": "issues" } },
    ]);
    expect(isSigned("github", arrived[0]!, env.SECRET)).toBe(true);
  });

  test("ends with 1 and the reason when the delivery is refused", async () => {
    status = 401;
    const run = await send(["--secret-file", "-", "--json"], {}, "another");
    expect(run.exitCode).toBe(1);
    expect(JSON.parse(run.stdout)).toEqual({ webhookId: keyId(1), event: "push", status: 401 });
    expect(run.stderr).toBe("wharf: The delivery was refused (401): Refused: Too old.\n");
  });

  test.each([
    ["an unknown event", ["--event", "isues", "--secret-env", "SECRET"], "Did you mean issues?"],
    ["no secret", [], "Set --secret-file or --secret-env to sign the delivery"],
    ["a secret as an argument", ["--secret", "s3cret"], "stays in the shell's history"],
  ])("sends nothing with %s", async (_, args, words) => {
    const run = await send(args, { SECRET: "the-secret" });
    expect(run).toMatchObject({ exitCode: 2, stdout: "" });
    expect(run.stderr).toContain(words);
    expect(run.stderr).not.toContain("s3cret");
    expect(arrived).toEqual([]);
  });
});
