import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { exportJWK, generateKeyPair, jwtVerify, SignJWT } from "jose";
import { afterEach, beforeEach, expect, test } from "vitest";
import { issuerKeys } from "./issuer-keys.ts";

type Respond = (response: ServerResponse) => void;

let url: string;
let requests: number;
let respond: Respond;
let now: number;
let close: () => Promise<unknown>;

beforeEach(async () => {
  requests = 0;
  now = 1_000_000;
  const server = createServer((_, response) => {
    requests += 1;
    respond(response);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/jwks`;
  close = async () => {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  };
});
afterEach(() => close());

const createKey = async (kid: string) => {
  const { privateKey, publicKey } = await generateKeyPair("ES256");
  const token = await new SignJWT({}).setProtectedHeader({ alg: "ES256", kid }).sign(privateKey);
  return { jwk: { ...(await exportJWK(publicKey)), kid, alg: "ES256" }, token };
};

const serve = (...keys: { jwk: object }[]): void => {
  respond = (response) => response.end(JSON.stringify({ keys: keys.map(({ jwk }) => jwk) }));
};

test("keys are fetched once, also for calls at the same time, and again after ten minutes", async () => {
  const one = await createKey("one");
  serve(one);
  const keys = issuerKeys(url, () => now);
  await Promise.all([jwtVerify(one.token, keys), jwtVerify(one.token, keys)]);
  now += 10 * 60_000 - 1;
  await jwtVerify(one.token, keys);
  expect(requests).toBe(1);
  now += 1;
  await jwtVerify(one.token, keys);
  expect(requests).toBe(2);
});

test("an unknown key id fetches the keys again, at most every thirty seconds", async () => {
  const [one, two] = [await createKey("one"), await createKey("two")];
  serve(one);
  const keys = issuerKeys(url, () => now);
  await jwtVerify(one.token, keys);
  serve(one, two);
  now += 29_999;
  await expect(jwtVerify(two.token, keys)).rejects.toThrow("no applicable key found");
  expect(requests).toBe(1);
  now += 1;
  await jwtVerify(two.token, keys);
  expect(requests).toBe(2);
});

test("a failed request is repeated by the next call", async () => {
  const one = await createKey("one");
  const keys = issuerKeys(url, () => now);
  respond = (response) => response.socket?.destroy();
  await expect(jwtVerify(one.token, keys)).rejects.toThrow();
  serve(one);
  await jwtVerify(one.token, keys);
});

test.each<[string, Respond]>([
  ["a redirect", (response) => response.writeHead(302, { location: "http://127.0.0.1:1/" }).end()],
  ["a server error", (response) => response.writeHead(500).end("oops")],
  ["text that is not JSON", (response) => response.end("oops")],
  ["no key set", (response) => response.end('{"keys":1}')],
  ["a key set of more than 1 MiB", (response) => response.end("x".repeat(1024 * 1024 + 1))],
  ["a body that is cut off", (response) => response.writeHead(200, { "content-length": 9 }).end()],
])("%s is an error", { tags: "nightly" }, async (_, invalid) => {
  const one = await createKey("one");
  respond = invalid;
  await expect(jwtVerify(one.token, issuerKeys(url))).rejects.toThrow();
});
