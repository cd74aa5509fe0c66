import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import * as z from "zod";
import { createKey, providerAndSample, toInbound } from "../harness/webhooks.ts";

type Arrived = { path: string; headers: IncomingHttpHeaders; body: string };

const folder = mkdtempSync(join(tmpdir(), "webhook-send-"));
const arrived: Arrived[] = [];
const made = `whsec_${Buffer.alloc(24, 7).toString("base64")}`;
let baseUrl = "";

const server = createServer(async (request, response) => {
  const body = await text(request);
  arrived.push({ path: request.url ?? "", headers: request.headers, body });
  if (request.url !== "/v1/tenants/demo/webhooks") {
    response.writeHead(200).end("thank you");
    return;
  }
  const { provider, signingSecret = made } = z
    .object({ provider: z.string(), signingSecret: z.string().optional() })
    .parse(JSON.parse(body));
  response.writeHead(201, { "content-type": "application/json" });
  response.end(JSON.stringify({ webhookUrl: `${baseUrl}/in/${provider}/1`, signingSecret }));
});

beforeAll(async () => {
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  baseUrl = `http://127.0.0.1:${port}`;
  const local = { organizationId: "local", tenantId: "t", tenantSlug: "demo", agentId: "hello" };
  const secrets = { userToken: "user-token", apiKey: "key", pid: 1 };
  writeFileSync(join(folder, "local.json"), JSON.stringify({ baseUrl, ...local, ...secrets }));
});
beforeEach(() => {
  arrived.length = 0;
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

const sendSample = async (...args: string[]) => {
  const child = spawn(process.execPath, ["infra/commands/webhook-send.ts", ...args], {
    env: { ...process.env, WHARF_DATA_DIR: folder },
  });
  const [output, errors, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close"),
  ]);
  return { code: Number(code), output, errors };
};

const isSigned = (id: string, { headers, body }: Arrived, secret: string): boolean => {
  const flat = Object.entries(headers).map(([name, value]) => [name, String(value)]);
  const request = toInbound({ headers: Object.fromEntries(flat), body });
  return providerAndSample(id).provider.signing.verify(request, secret, Date.now());
};

describe("npm run webhook:send", () => {
  test("signs a sample with --secret and posts it to --url with --key appended", async () => {
    const { key, secret } = createKey(providerAndSample("discord").sample);
    const { code, output } = await sendSample(
      ...["--provider", "discord", "--url", `${baseUrl}/hook`, "--key", "k1", "--secret", key],
    );
    expect([code, arrived.length]).toEqual([0, 1]);
    expect(arrived[0]?.path).toBe("/hook/k1");
    expect(isSigned("discord", arrived[0]!, secret)).toBe(true);
    expect(output).toContain("200 thank you");
    expect(output).not.toContain("k1");
  });

  test("creates a webhook with the user token and signs with its secret", async () => {
    const { code } = await sendSample("--provider", "standard");
    expect([code, arrived.map(({ path }) => path)]).toEqual([
      0,
      ["/v1/tenants/demo/webhooks", "/in/standard/1"],
    ]);
    expect(arrived[0]?.headers.authorization).toBe("Bearer user-token");
    expect(isSigned("standard", arrived[1]!, made)).toBe(true);
  });

  test("generates the secret that the provider would issue", async () => {
    await sendSample("--provider", "slack", "--event", "/hello");
    const given = z.object({ signingSecret: z.string() }).parse(JSON.parse(arrived[0]!.body));
    expect(isSigned("slack", arrived[1]!, given.signingSecret)).toBe(true);
    expect(arrived[1]?.body).toContain("command=%2Fhello");
  });

  test("names the allowed providers, samples and options in errors", async () => {
    const unknown = await sendSample("--provider", "nobody");
    expect([unknown.code, unknown.errors]).toEqual([1, expect.stringContaining("github, gitlab")]);
    const event = await sendSample("--provider", "github", "--event", "nothing");
    expect(event.errors).toContain("push, issues, pull_request, ping");
    const unsigned = await sendSample("--provider", "github", "--url", `${baseUrl}/hook`);
    expect([unsigned.code, unsigned.errors]).toEqual([1, expect.stringContaining("--secret")]);
    expect(arrived).toEqual([]);
  });
});
