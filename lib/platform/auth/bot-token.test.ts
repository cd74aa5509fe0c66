import { afterEach, beforeEach, expect, test } from "vitest";
import {
  mintBotToken,
  newBotKey,
  startBotFramework,
} from "../../../test/harness/chat-apis/bot-framework.ts";
import { createBotTokenVerifier } from "./bot-token.ts";

const expected = { audience: "app-1", serviceUrl: "https://smba.trafficmanager.net/teams" };
let issuer: Awaited<ReturnType<typeof startBotFramework>>;
beforeEach(async () => {
  issuer = await startBotFramework();
});
afterEach(() => issuer.close());

const start = ({ allowPrivateAddresses = true } = {}) => {
  let now = Date.now();
  const verify = createBotTokenVerifier({
    openIdUrl: issuer.address.openIdUrl,
    outgoing: { allowPrivateAddresses },
    clock: () => now,
  });
  return {
    advance: (ms: number) => {
      now += ms;
    },
    verify: (token: string, channel = "msteams") =>
      verify(
        {
          method: "POST",
          headers: new Map([["authorization", [`Bearer ${token}`]]]),
          query: {},
          body: Buffer.from(""),
        },
        { audience: expected.audience, channel, now },
      ),
  };
};
const refused = { slug: "unauthenticated" };
const unavailable = { slug: "service-unavailable" };

test("the keys are fetched once, for however many tokens", { tags: "nightly" }, async () => {
  const { verify } = start();
  const token = await mintBotToken(issuer.address.privateKey, expected);
  await Promise.all([verify(token), verify(token), verify(token)]);
  await expect(verify(token)).resolves.toMatchObject({ serviceurl: expected.serviceUrl });
  expect(issuer.requests).toEqual(["/openid", "/keys"]);
});

test("tokens that name unknown keys do not cause further fetches", {
  tags: "nightly",
}, async () => {
  const { verify } = start();
  for (const keyId of ["a", "b", "c"]) {
    const token = await mintBotToken(await newBotKey(), { ...expected, keyId });
    await expect(verify(token)).rejects.toMatchObject(refused);
  }
  expect(issuer.requests).toEqual(["/openid", "/keys"]);
});

test("a text that is no token, or is signed with a shared secret, fetches nothing", async () => {
  const { verify } = start();
  const head = Buffer.from('{"alg":"HS256","kid":"bot-key-1"}').toString("base64url");
  for (const text of ["", "a.b.c", `${head}.e30.c2ln`, "a".repeat(10_000)]) {
    await expect(verify(text)).rejects.toMatchObject(refused);
  }
  expect(issuer.requests).toEqual([]);
});

test("a failing issuer is 503, and its keys are fetched again only after a pause", async () => {
  const { verify, advance } = start();
  const token = await mintBotToken(issuer.address.privateKey, expected);
  issuer.state.isDown = true;
  await expect(verify(token)).rejects.toMatchObject(unavailable);
  await expect(verify(token)).rejects.toMatchObject(unavailable);
  expect(issuer.requests).toEqual(["/openid"]);
  issuer.state.isDown = false;
  advance(5_000);
  await expect(verify(token)).resolves.toMatchObject({ aud: expected.audience });
});

test("an issuer at a private address is not called unless that is allowed", async () => {
  const { verify } = start({ allowPrivateAddresses: false });
  const token = await mintBotToken(issuer.address.privateKey, expected);
  await expect(verify(token)).rejects.toMatchObject(unavailable);
  expect(issuer.requests).toEqual([]);
});

test("a key signs only for the channels that endorse it", async () => {
  const { verify } = start();
  const token = await mintBotToken(issuer.address.privateKey, expected);
  await expect(verify(token, "msteams")).resolves.toMatchObject({ aud: expected.audience });
  await expect(verify(token, "webchat")).rejects.toMatchObject(refused);
  issuer.state.endorsements = undefined;
  await expect(start().verify(token, "webchat")).resolves.toMatchObject({ aud: expected.audience });
});
