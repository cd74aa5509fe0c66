import { expect, test } from "vitest";
import { runLink } from "../../test/harness/link.ts";
import { limitBody } from "./limit-body.ts";

test.each([
  [false, 1_048_576],
  [true, 4_194_304],
])("a body over its limit is 413 (inbound: %s)", async (inbound, limit) => {
  const send = (bytes: number) =>
    runLink(limitBody({ inbound }), { event: { body: "x".repeat(bytes), isBase64Encoded: false } });
  expect((await send(limit)).status).toBe(200);
  expect((await send(limit + 1)).problem).toMatchObject({ status: 413, limit });
});
