import { expect, test } from "vitest";
import { linkRow, runLink } from "../../test/harness/link.ts";
import { matchRoute } from "./match-route.ts";

const link = matchRoute(linkRow);

test("path variables are read by the row's names", async () => {
  const { status, context } = await runLink(link, {
    event: { pathParameters: { p1: "t", p2: "a%20b" } },
  });
  expect(status).toBe(200);
  expect(context.pathValues).toEqual({ tenant: "t", thing: "a b" });
});

test("another resource, another verb and a path that is too long are 404", async () => {
  for (const event of [
    { resource: "/{proxy+}", pathParameters: { proxy: "v1/tenants/demo/things/a" } },
    { pathParameters: { p1: "t", p2: "a:run" } },
    { path: `/v1/tenants/t/things/${"x".repeat(2_048)}` },
  ]) {
    expect((await runLink(link, { event })).slug).toBe("not-found");
  }
});

test("broken percent-encoding is 400", async () => {
  expect((await runLink(link, { event: { pathParameters: { p1: "t", p2: "%" } } })).status).toBe(
    400,
  );
});
