import { expect, test } from "vitest";
import { runLink } from "../../test/harness/link.ts";
import { RawBody } from "../platform/http/raw-body.ts";
import { FormBody } from "./form-body.ts";
import { limitBody } from "./limit-body.ts";

test.each([
  ["JSON", { inbound: false, body: undefined }, 1_048_576],
  ["a delivery", { inbound: true, body: undefined }, 4_194_304],
  ["a form", { inbound: false, body: FormBody }, 65_536],
  ["a file", { inbound: false, body: RawBody }, 4_194_304],
  ["JSON of a row with a limit of its own", { body: undefined, maxBodyBytes: 2_000 }, 2_000],
])("a body over its limit is 413: %s", async (_, row, limit) => {
  const send = (bytes: number) =>
    runLink(limitBody(row), { event: { body: "x".repeat(bytes), isBase64Encoded: false } });
  expect((await send(limit)).status).toBe(200);
  expect((await send(limit + 1)).problem).toMatchObject({ status: 413, limit });
});
