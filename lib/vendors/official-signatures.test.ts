import { createHmac, generateKeyPairSync, sign as signBytes } from "node:crypto";
import bodies from "@octokit/webhooks-examples" with { type: "json" };
import { sign as signAsGithub } from "@octokit/webhooks-methods";
import { verifyKey } from "discord-interactions";
import { SignJWT, UnsecuredJWT } from "jose";
import Stripe from "stripe";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { webhookNow as now, providerAndSample, toInbound } from "../../test/harness/webhooks.ts";
import { findEventTypes } from "./registry/find-event-types.ts";

const Examples = z.array(z.object({ name: z.string(), examples: z.array(z.unknown()) }));
const examples = Examples.parse(bodies);

const verify = (
  id: string,
  headers: Readonly<Record<string, string>>,
  body: string,
  secret: string,
  at = now,
) => providerAndSample(id).provider.signing.verify(toInbound({ headers, body }), secret, at);

describe("GitHub", () => {
  const { provider } = providerAndSample("github");

  test("its published sample is right, and the older SHA-1 signature alone is no signature", () => {
    const secret = "It's a Secret to Everybody";
    const digest = "757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17";
    const body = "Hello, World!";
    expect(verify("github", { "x-hub-signature-256": `sha256=${digest}` }, body, secret)).toBe(
      true,
    );
    const sha1 = createHmac("sha1", secret).update(body).digest("hex");
    for (const name of ["x-hub-signature", "x-hub-signature-256"]) {
      expect(verify("github", { [name]: `sha1=${sha1}` }, body, secret)).toBe(false);
    }
    const older = toInbound({ headers: { "x-hub-signature": `sha1=${sha1}` }, body });
    expect(provider.signing.isSigned(older)).toBe(false);
  });

  test("every published payload, signed by Octokit, is valid and has its header's event type", async () => {
    let payloads = 0;
    for (const { name, examples: payloadsOfOne } of examples) {
      for (const payload of payloadsOfOne) {
        const body = JSON.stringify(payload);
        const signature = await signAsGithub("secret", body);
        const headers = { "x-hub-signature-256": signature, "x-github-event": name };
        expect(verify("github", headers, body, "secret")).toBe(true);
        const facts = provider.describe(toInbound({ headers, body }), payload);
        expect([facts.eventType, payload]).toEqual([name, payload]);
        expect(findEventTypes("github")?.names).toContain(name);
        payloads += 1;
      }
    }
    expect(payloads).toBeGreaterThan(250);
  });

  test("a signed body keeps its event type, whatever the unsigned header claims", () => {
    const shown = new Map<string, unknown>(
      examples.map(({ name, examples: [one] }) => [name, one]),
    );
    const eventNames = [
      "push",
      "issues",
      "issue_comment",
      "pull_request",
      "release",
      "ping",
      "create",
    ];
    for (const claimed of [...eventNames, "star", "made_up"]) {
      for (const event of eventNames.filter((one) => one !== claimed)) {
        const payload = shown.get(event);
        expect(payload).toBeDefined();
        const request = toInbound({ headers: { "x-github-event": claimed }, body: "" });
        expect([claimed, event, provider.describe(request, payload).eventType]).toEqual([
          claimed,
          event,
          null,
        ]);
      }
    }
    const request = toInbound({ headers: { "x-github-event": "star" }, body: "" });
    expect(provider.describe(request, { action: "created" }).eventType).toBe("star");
  });
});

describe("Stripe", () => {
  const secret = "whsec_test";
  const body = '{"id":"evt_1","type":"invoice.paid"}';
  const timestamp = now / 1_000;
  const header = (scheme = "v1", of = secret) =>
    Stripe.webhooks.generateTestHeaderString({ payload: body, secret: of, timestamp, scheme });

  test("a signature of the vendor's library is valid, also next to that of an older secret", () => {
    expect(verify("stripe", { "stripe-signature": header() }, body, secret)).toBe(true);
    const [, other] = header("v1", "older").split(",");
    const both = header().replace(",", `,${other},`);
    expect(verify("stripe", { "stripe-signature": both }, body, secret)).toBe(true);
  });

  test("v0 does not count, nor a header with two times or none", () => {
    const [time, signature] = header().split(",");
    for (const value of [header("v0"), `t=1,${header()}`, `${header()},${time}`, `${signature}`]) {
      expect([value, verify("stripe", { "stripe-signature": value }, body, secret)]).toEqual([
        value,
        false,
      ]);
    }
  });

  test("an API key is no signing secret", () => {
    const { signing } = providerAndSample("stripe").provider;
    expect(signing.checkSecret("sk_test_1")).toMatch(/API key/);
  });
});

test("Discord's library accepts the same valid signature and refuses the same forged one", async () => {
  const pair = generateKeyPairSync("ed25519");
  const { x = "" } = pair.publicKey.export({ format: "jwk" });
  const secret = Buffer.from(x, "base64url").toString("hex");
  const body = '{"type":1,"token":"t"}';
  const timestamp = String(now / 1_000);
  const good = signBytes(null, Buffer.from(timestamp + body), pair.privateKey).toString("hex");
  for (const signature of [good, good.replace(/^../, (start) => (start === "00" ? "01" : "00"))]) {
    const headers = { "x-signature-ed25519": signature, "x-signature-timestamp": timestamp };
    const theirs = await verifyKey(body, signature, timestamp, secret);
    expect([signature, verify("discord", headers, body, secret)]).toEqual([signature, theirs]);
  }
});

test("Slack's published sample is right at its time", () => {
  const body =
    "token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c";
  const headers = {
    "x-slack-request-timestamp": "1531420618",
    "x-slack-signature": "v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503",
  };
  const secret = "8f742231b10e8888abcd99yyyzzz85a5";
  expect(verify("slack", headers, body, secret, 1_531_420_618_000)).toBe(true);
  expect(verify("slack", headers, body, secret)).toBe(false);
});

test("Jira's published sample is right", () => {
  const headers = {
    "x-hub-signature": "sha256=a4771c39fbe90f317c7824e83ddef3caae9cb3d976c214ace1f2937e133263c9",
  };
  expect(verify("jira", headers, "Hello World!", "It's a Secret to Everybody")).toBe(true);
});

describe("Jira, when an app registered the webhook", () => {
  const secret = "the-client-secret-of-the-app-0123456789";
  const body = '{"webhookEvent":"jira:issue_created"}';
  const token = (alg = "HS256", key = secret, expires = now + 60_000) =>
    new SignJWT({ iss: "client-id", context: {} })
      .setProtectedHeader({ alg, typ: "JWT" })
      .setIssuedAt(now / 1_000)
      .setExpirationTime(expires / 1_000)
      .sign(new TextEncoder().encode(key));
  const isRight = (bearer: string) =>
    verify("jira", { authorization: `Bearer ${bearer}` }, body, secret);

  test("its token, signed with the client secret, is right until it expires", async () => {
    expect(isRight(await token())).toBe(true);
    expect(isRight(await token("HS256", secret, now - 1_000))).toBe(false);
    expect(isRight(await token("HS256", "another-client-secret-0123456789abcdef"))).toBe(false);
  });

  test("its token may choose no other algorithm, and a wrong signature is not mended by a token", async () => {
    expect(isRight(await token("HS512", `${secret}${secret}`))).toBe(false);
    expect(isRight(new UnsecuredJWT({ exp: now }).encode())).toBe(false);
    const [head, claims] = (await token()).split(".");
    expect(isRight(`${head}.${claims}.AAAA`)).toBe(false);
    const both = { authorization: `Bearer ${await token()}`, "x-hub-signature": "sha256=00" };
    expect(verify("jira", both, body, secret)).toBe(false);
  });
});

test("Zendesk's secret is a text, and the time precedes the body", () => {
  // The page's sample has them the other way round, as an earlier version of the scheme had; its digest
  // still shows what the key is.
  const secret = "HRkRd4BeOAoUkfZr-mhauJT64rvBASlJRoIyPsd3zeA=";
  const time = "2021-07-25T10:00:00Z";
  const body = '{"say": "hello"}';
  const published = "tRDSF7URY8BLCDlaBcQ7FHu051Zk+aAB0NKMP53teMw=";
  const digest = (text: string) => createHmac("sha256", secret).update(text).digest("base64");
  expect(digest(body + time)).toBe(published);
  const at = Date.parse(time);
  const headers = (signature: string) => ({
    "x-zendesk-webhook-signature": signature,
    "x-zendesk-webhook-signature-timestamp": time,
  });
  expect(verify("zendesk", headers(digest(time + body)), body, secret, at)).toBe(true);
  expect(verify("zendesk", headers(digest(time)), "", secret, at)).toBe(true);
  expect(verify("zendesk", headers(published), body, secret, at)).toBe(false);
});
