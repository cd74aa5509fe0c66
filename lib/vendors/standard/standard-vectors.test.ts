import { createHmac } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { describe, expect, test } from "vitest";
import {
  createKey,
  webhookNow as now,
  providerAndSample,
  toInbound,
} from "../../../test/harness/webhooks.ts";

const verify = (
  id: string,
  headers: Readonly<Record<string, string>>,
  body: string,
  secret: string,
  at = now,
) => providerAndSample(id).provider.signing.verify(toInbound({ headers, body }), secret, at);

describe("Standard Webhooks", () => {
  const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
  const id = "msg_p5jXN8AQM9LWM0D4loKWxJek";
  const body = '{"test": 2432232314}';
  const at = 1_614_265_330_000;
  const v1 = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=";
  const v1a =
    "v1a,hnO3f9T8Ytu9HwrXslvumlUpqtNVqkhqw/enGzPCXe5BdqzCInXqYXFymVJaA7AZdpXwVLPo3mNl8EM+m7TBAg==";
  const publicKey = "whpk_1SiA4o9hyqTCpIqC5V9HUakiiaeACeqfZTInDBbOir4=";
  const signed = (signature: string, changes: Readonly<Record<string, string>> = {}) => ({
    "webhook-id": id,
    "webhook-timestamp": "1614265330",
    "webhook-signature": signature,
    ...changes,
  });

  test("the published vectors of both kinds are right, with a prefix to the secret and without", () => {
    expect(verify("standard", signed(v1), body, secret, at)).toBe(true);
    expect(verify("standard", signed(v1), body, secret.slice(6), at)).toBe(true);
    expect(verify("standard", signed(v1a), body, publicKey, at)).toBe(true);
    const svix = { "svix-id": id, "svix-timestamp": "1614265330", "svix-signature": v1 };
    expect(verify("standard", svix, body, secret, at)).toBe(true);
  });

  test("one valid signature of several is enough, of the secret's kind", () => {
    const wrong = "v1,Ceo5qEr07ixe2NLpvHk3FH9bwy/WavXrAFQ/9tdO6mc=";
    for (const list of [`${wrong} ${v1}`, `${v1} ${wrong}`, `${v1a} v2,x ${wrong} ${v1}`]) {
      expect(verify("standard", signed(list), body, secret, at)).toBe(true);
    }
    expect(verify("standard", signed(`${v1} ${v1a}`), body, publicKey, at)).toBe(true);
    for (const list of [wrong, v1a, `v2,${v1.slice(3)}`, v1.slice(3), "v1,", "v1", "", `${v1},x`]) {
      expect([list, verify("standard", signed(list), body, secret, at)]).toEqual([list, false]);
    }
    for (const list of [v1, `v1,${v1a.slice(4)}`, "v1a,", `${v1a.slice(0, -6)}AAAA==`]) {
      expect([list, verify("standard", signed(list), body, publicKey, at)]).toEqual([list, false]);
    }
  });

  test("at most 16 signatures of a request are compared", () => {
    const wrong = (count: number) => "v1,x ".repeat(count);
    expect(verify("standard", signed(`${wrong(15)}${v1}`), body, secret, at)).toBe(true);
    expect(verify("standard", signed(`${wrong(16)}${v1}`), body, secret, at)).toBe(false);
  });

  test("a changed, missing or ambiguous id or time is invalid", () => {
    const wrong: Record<string, string>[] = [
      { "webhook-id": "msg_other" },
      { "webhook-id": "" },
      { "webhook-timestamp": "1614265331" },
      { "webhook-timestamp": " 1614265330" },
      { "webhook-timestamp": "1614265330.0" },
      { "webhook-timestamp": "" },
    ];
    for (const changes of wrong) {
      expect(verify("standard", signed(v1, changes), body, secret, at)).toBe(false);
    }
    const key = Buffer.from(secret.slice(6), "base64");
    const forged = createHmac("sha256", key).update(`a.b.1614265330.${body}`).digest("base64");
    const changes = { "webhook-id": "a.b" };
    expect(verify("standard", signed(`v1,${forged}`, changes), body, secret, at)).toBe(false);
  });

  test("a signature of the vendor's library is valid, also for GitLab's signing token", () => {
    for (const provider of ["standard", "gitlab"]) {
      const { secret: generated } = createKey(providerAndSample(provider).sample);
      const signature = new Webhook(generated).sign("msg_1", new Date(now), body);
      const headers = {
        "webhook-id": "msg_1",
        "webhook-timestamp": String(now / 1_000),
        "webhook-signature": signature,
      };
      expect(verify(provider, headers, body, generated)).toBe(true);
    }
  });

  test("secrets in another format are refused with a reason", () => {
    const { signing } = providerAndSample("standard").provider;
    for (const bad of [
      "whsec_short",
      "whsec_",
      "whpk_AAAA",
      "not base64!",
      `whsec_${"A".repeat(88)}`,
    ]) {
      expect([bad, signing.checkSecret(bad)]).toEqual([bad, expect.stringMatching(/^must be/)]);
    }
    for (const good of [secret, secret.slice(6), publicKey]) {
      expect(signing.checkSecret(good)).toBeUndefined();
    }
  });
});
