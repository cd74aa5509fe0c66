import { expect, test } from "vitest";
import { ProblemError } from "../../client/problem-error.ts";
import { nameSettings } from "../../console/src/integrations/oauth-form.ts";
import { fieldError } from "../../console/src/shared/problem.ts";

test.each([
  ["must be without clientSecret", 'must be without "Client secret"'],
  ["is required, or identityProviderIssuer", 'is required, or "Identity provider"'],
  ["is required, or issuer", 'is required, or "Issuer"'],
  ["is required with clientPrivateKey", 'is required with "Private key"'],
  ["must have iss, or set clientId", 'must have iss, or set "Client ID"'],
  ["needs assertionPrivateKey", 'needs "Assertion key"'],
  ["is required: assertions are for one issuer", "is required: assertions are for one issuer"],
  ["is required: the assertion has an audience", "is required: the assertion has an audience"],
])("the form of OAuth 2 shows %j with the labels of its fields", (detail, shown) => {
  const errors = [{ pointer: "/auth/tokenUrl", detail }];
  const error = new ProblemError(400, { title: "Validation failed", errors });
  expect(fieldError(nameSettings(error), "/auth/tokenUrl")).toBe(shown);
});

test("an error that is not of the API stays as it is", () => {
  const error = new Error("away");
  expect(nameSettings(error)).toBe(error);
});
