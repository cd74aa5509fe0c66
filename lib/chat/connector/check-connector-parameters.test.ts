import { expect, test } from "vitest";
import { mask } from "../../platform/http/mask.ts";
import { chatProvider } from "../../vendors/registry/find-chat-provider.ts";
import { checkConnectorParameters } from "./check-connector-parameters.ts";

const provider = chatProvider("generic");
const replyUrl = "https://chat.example.com/replies";
const signingSecret = `whsec_${Buffer.alloc(32, 1).toString("base64")}`;
const stored = { parameters: { replyUrl, signingSecret: mask }, secrets: { signingSecret } };
const refusal = (pointer: string, detail: RegExp) =>
  expect.objectContaining({
    slug: "validation-failed",
    members: {
      errors: [expect.objectContaining({ pointer, detail: expect.stringMatching(detail) })],
    },
  });

test("credentials are masked in the parameters and kept apart", () => {
  expect(checkConnectorParameters(provider, { replyUrl, signingSecret }, {})).toEqual(stored);
});

test("a mask keeps the stored credential", () => {
  const sent = { replyUrl: `${replyUrl}?room=1`, signingSecret: mask };
  expect(checkConnectorParameters(provider, sent, {}, stored)).toEqual({
    parameters: sent,
    secrets: { signingSecret },
  });
});

test.each([
  ["a missing parameter", {}, /^is required/, "/parameters/replyUrl"],
  ["an unknown one", { replyUrl, what: "x" }, /^is unknown/, "/parameters/what"],
  [
    "a mask without a stored credential",
    { replyUrl, signingSecret: mask },
    /no secret is stored/,
    "/parameters/signingSecret",
  ],
  [
    "a credential of another form",
    { replyUrl, signingSecret: "x" },
    /^must be whsec_/,
    "/parameters/signingSecret",
  ],
  ["a private address", { replyUrl: "https://127.0.0.1/" }, /./, "/parameters/replyUrl"],
] as const)("%s is refused with its pointer", (_, sent, detail, pointer) => {
  const check = () => checkConnectorParameters(provider, { ...sent }, {});
  expect(check).toThrow(refusal(pointer, detail));
});

test("a stored credential is not sent to another server: a mask is refused with the new address", () => {
  const sent = { replyUrl: "https://elsewhere.example.com/", signingSecret: mask };
  const check = () => checkConnectorParameters(provider, sent, {}, stored);
  expect(check).toThrow(refusal("/parameters/signingSecret", /another replyUrl/));
});
