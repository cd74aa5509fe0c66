import { expect, test } from "vitest";
import {
  ConfigError,
  readConfig,
  requireDeployable,
  settingRows,
} from "../../infra/settings/config.ts";

test("without settings, the documented defaults apply", () => {
  expect(readConfig({})).toMatchObject({
    RATE_LIMIT_REQUESTS: 600,
    RATE_LIMIT_WINDOW_SECONDS: 60,
    RATE_LIMIT_INBOUND_REQUESTS: 6_000,
    RATE_LIMIT_UNAUTHENTICATED_REQUESTS: 60,
    KEY_PREFIX: "wharf",
    EARLIER_KEY_PREFIXES: ["whf"],
    ALLOW_PRIVATE_ADDRESSES: false,
    LOG_RETENTION_DAYS: 30,
    STACK_PREFIX: "Wharf",
  });
});

test("every setting is listed with its effect", () => {
  for (const { name, description } of settingRows) {
    expect(name).toMatch(/^[A-Z_]+$/);
    expect(description).toMatch(/\.$/);
  }
  expect(settingRows).toContainEqual(
    expect.objectContaining({ name: "EARLIER_KEY_PREFIXES", fallback: "whf" }),
  );
});

test("an invalid setting is one line with its name, the allowed values and the given one", () => {
  expect(() => readConfig({ RATE_LIMIT_REQUESTS: "0", KEY_PREFIX: "W_" })).toThrow(
    new ConfigError(
      [
        'RATE_LIMIT_REQUESTS must be a whole number from 1 to 999999999, not "0".',
        'KEY_PREFIX must be 2 to 16 lower-case letters and digits, a letter first, not "W_".',
      ].join("\n"),
    ),
  );
});

test("the bounds of concurrency are those of Lambda", () => {
  expect(readConfig({ QUEUE_CONCURRENCY: "2", TENANT_CONCURRENCY: "1" })).toMatchObject({
    QUEUE_CONCURRENCY: 2,
    TENANT_CONCURRENCY: 1,
  });
  expect(() => readConfig({ QUEUE_CONCURRENCY: "1", TENANT_CONCURRENCY: "1001" })).toThrow(
    new ConfigError(
      [
        'QUEUE_CONCURRENCY must be a whole number from 2 to 1000, not "1".',
        'TENANT_CONCURRENCY must be a whole number from 1 to 1000, not "1001".',
      ].join("\n"),
    ),
  );
});

test("the list of earlier prefixes may be empty, and all of them are checked", () => {
  expect(readConfig({ EARLIER_KEY_PREFIXES: "" }).EARLIER_KEY_PREFIXES).toEqual([]);
  expect(readConfig({ EARLIER_KEY_PREFIXES: "a1, b2" }).EARLIER_KEY_PREFIXES).toEqual(["a1", "b2"]);
  expect(() => readConfig({ EARLIER_KEY_PREFIXES: "ok,N O" })).toThrow("EARLIER_KEY_PREFIXES");
});

test("an issuer needs an audience", () => {
  expect(() => readConfig({ OIDC_ISSUER: "https://id.example" })).toThrow("OIDC_AUDIENCE");
});

test("AWS refuses private addresses and an issuer without TLS", () => {
  expect(() => requireDeployable(readConfig({ ALLOW_PRIVATE_ADDRESSES: "true" }))).toThrow(
    "ALLOW_PRIVATE_ADDRESSES must be false on AWS",
  );
  const issuer = { OIDC_ISSUER: "http://id.example", OIDC_AUDIENCE: "wharf" };
  expect(() => requireDeployable(readConfig(issuer))).toThrow("OIDC_ISSUER must be an https URL");
  expect(() => requireDeployable(readConfig({}))).not.toThrow();
  expect(() => requireDeployable(readConfig({ GOOGLE_CLIENT_SECRET: "s" }))).toThrow(
    "set GOOGLE_CLIENT_SECRET_NAME",
  );
});

test("the public URL loses its last slash, and is https on AWS", () => {
  expect(readConfig({ PUBLIC_URL: "https://a.example/api/" }).PUBLIC_URL).toBe(
    "https://a.example/api",
  );
  expect(() => readConfig({ PUBLIC_URL: "https://a.example/?b" })).toThrow("without user, query");
  expect(() => requireDeployable(readConfig({ PUBLIC_URL: "http://a.example" }))).toThrow(
    "PUBLIC_URL must be an https URL on AWS",
  );
});

test("a custom domain needs a certificate", () => {
  expect(() => readConfig({ DOMAIN_NAME: "api.example.com" })).toThrow("DOMAIN_CERTIFICATE_ARN");
});
