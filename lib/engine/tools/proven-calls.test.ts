import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { afterEach, expect, test } from "vitest";
import { listen } from "../../../test/harness/listen.ts";
import type { Prover } from "./access-token.ts";
import { sendCall } from "./send-call.ts";

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const options = { allowPrivateAddresses: true };
const headers = { authorization: "DPoP access-token" };

/** Proofs that show what they are of: method, path, and the nonce of the origin. */
const readableProver = (): Prover => {
  const nonces = new Map<string, string>();
  return {
    prove: ({ method, url }) => {
      const { origin, pathname } = new URL(url);
      return `${method}-${pathname}-${nonces.get(origin) ?? "none"}`;
    },
    keepNonce: (url, nonce) => void nonces.set(new URL(url).origin, nonce),
  };
};

/** Starts a service; returns its URL, and the requests that it received. */
const start = async (respond: (request: IncomingMessage, response: ServerResponse) => void) => {
  const received: string[] = [];
  const server = createServer((request, response) => {
    const { method, url, headers: sent } = request;
    received.push(`${method} ${url} ${sent.authorization ?? "-"} ${sent.dpop ?? "-"}`);
    respond(request, response);
  });
  const { url, close } = await listen(server);
  closing.push(close);
  return { url, received };
};

const refusal = (nonce: string) => ({
  "www-authenticate": 'DPoP error="use_dpop_nonce"',
  "dpop-nonce": nonce,
});

test("a redirect after a change has a proof of its own, and a nonce that it needs does not repeat the change", async () => {
  const { url, received } = await start(({ method, headers: { dpop } }, response) => {
    if (method === "POST") response.writeHead(303, { location: "/orders/1" }).end();
    else if (dpop === "GET-/orders/1-n1") response.end("order 1");
    else response.writeHead(401, refusal("n1")).end();
  });
  const call = { url: `${url}/orders`, method: "POST", headers, body: "{}" };
  const { body } = await sendCall(call, options, readableProver());
  expect(body.toString()).toBe("order 1");
  expect(received).toEqual([
    "POST /orders DPoP access-token POST-/orders-none",
    "GET /orders/1 DPoP access-token GET-/orders/1-none",
    "GET /orders/1 DPoP access-token GET-/orders/1-n1",
  ]);
});

test("a redirect to another service has no token and no proof, and its nonce is not kept", async () => {
  const other = await start((_, response) => response.writeHead(401, refusal("other")).end());
  const { url, received } = await start(({ url: path }, response) => {
    if (path === "/file") response.writeHead(302, { location: `${other.url}/content` }).end();
    else response.end();
  });
  const prover = readableProver();
  await expect(sendCall({ url: `${url}/file`, headers }, options, prover)).rejects.toMatchObject({
    upstreamStatus: 401,
  });
  await sendCall({ url: `${url}/next`, headers }, options, prover);
  expect(other.received).toEqual(["GET /content - -"]);
  expect(received.at(-1)).toBe("GET /next DPoP access-token GET-/next-none");
});

test.each([
  [303, "POST", true],
  [302, "POST", true],
  [307, "POST", false],
  [302, "GET", false],
])(
  "a refusal after a redirect with status %s of a %s has acted: %s",
  async (status, method, hasActed) => {
    const { url } = await start(({ url: path }, response) => {
      if (path === "/orders") response.writeHead(status, { location: "/orders/1" }).end();
      else response.writeHead(401).end();
    });
    await expect(
      sendCall({ url: `${url}/orders`, method, headers }, options),
    ).rejects.toMatchObject({ upstreamStatus: 401, hasActed });
  },
);

test("a nonce is taken from a challenge that follows another one in the same header", async () => {
  const { url, received } = await start(({ headers: { dpop } }, response) => {
    if (dpop === "GET-/-n1") response.end();
    else {
      const challenge = 'Bearer realm="a, b", error="invalid_token", DPoP error="use_dpop_nonce"';
      response.writeHead(401, { "www-authenticate": challenge, "dpop-nonce": "n1" }).end();
    }
  });
  await sendCall({ url, headers }, options, readableProver());
  expect(received.at(-1)).toBe("GET / DPoP access-token GET-/-n1");
});

test.each([
  [401, 'DPoP error="invalid_dpop_proof"', { tokenErrors: ["invalid_dpop_proof"] }],
  [401, 'Bearer realm="a, b", DPoP error="invalid_token"', { tokenErrors: ["invalid_token"] }],
  [401, "Bearer, DPoP algs=ES256", { tokenErrors: [] }],
  [
    403,
    'DPoP algs="ES256", Bearer error="insufficient_scope", scope="files.read"',
    { tokenErrors: [], missingScopes: ["files.read"] },
  ],
  [
    403,
    'Bearer scope="other", DPoP error="insufficient_scope", scope="files.read"',
    { missingScopes: ["files.read"] },
  ],
])(
  "a refusal with status %s and the challenges %s says why",
  async (status, challenge, members) => {
    const { url } = await start((_, response) =>
      response.writeHead(status, { "www-authenticate": challenge }).end(),
    );
    const calling = sendCall({ url, headers }, options, readableProver());
    await expect(calling).rejects.toMatchObject({ upstreamStatus: status, ...members });
  },
);

test("the excerpt of a failing response has no proof that the service repeats", async () => {
  const { url } = await start(({ headers: { dpop } }, response) =>
    response.writeHead(400).end(`wrong: ${dpop}`),
  );
  const calling = sendCall({ url: `${url}/orders`, headers }, options, readableProver());
  await expect(calling).rejects.toMatchObject({ responseExcerpt: "wrong: ********" });
});
