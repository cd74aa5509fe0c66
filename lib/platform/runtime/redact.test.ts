import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { makeApiKey } from "../auth/api-key-format.ts";
import { redact } from "./redact.ts";

const text = fc.string();

test("an API key is left out, anywhere in a line and at any depth", () => {
  fc.assert(
    fc.property(text, text, fc.constantFrom("wharf", "whf", "other"), (before, after, prefix) => {
      const key = makeApiKey(prefix, randomBytes);
      const line = JSON.stringify({ a: [{ b: `${before} ${key} ${after}` }] }, redact);
      expect(line).not.toContain(key.slice(-20));
    }),
  );
});

test("a signed token is left out", () => {
  const token = `eyJhbGciOiJFUzI1NiJ9.${Buffer.from("{}").toString("base64url")}.c2lnbmF0dXJl`;
  expect(JSON.stringify({ message: `bad token ${token}` }, redact)).toBe(
    '{"message":"bad token [redacted]"}',
  );
});

test("members with a secret's name are left out, others stay", () => {
  const line = JSON.stringify({ password: "p", Authorization: "a", tokens: 7, name: "n" }, redact);
  expect(line).toBe('{"password":"[redacted]","Authorization":"[redacted]","tokens":7,"name":"n"}');
});

test("a signing secret is left out", () => {
  expect(JSON.stringify({ message: "bad whsec_c2VjcmV0+/= here" }, redact)).toBe(
    '{"message":"bad [redacted] here"}',
  );
});

test("an API key is left out with its prefix", () => {
  const key = makeApiKey("acme-corp", randomBytes);
  expect(redact("message", `a ${key}, ${key}`)).toBe("a [redacted], [redacted]");
});

test("a signed token is left out after adjacent text and after a text that only begins like one", () => {
  const token = "eyJhbGciOiJFUzI1NiJ9.e30.c2lnbmF0dXJl";
  expect(redact("message", `id-${token} eyJ.a.b www.example.com`)).toBe(
    "id-[redacted] eyJ.a.b www.example.com",
  );
});
