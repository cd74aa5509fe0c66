import { expect, test } from "vitest";
import { linkRow, runLink } from "../../test/harness/link.ts";
import { shapeResponse } from "./shape-response.ts";

test("a response has its row's status and declared members alone", async () => {
  const { status, problem } = await runLink(shapeResponse(linkRow), {
    work: () => ({ name: "n", sha256: "hidden" }),
  });
  expect([status, problem]).toEqual([200, { name: "n" }]);
});

test("a response of another shape is 500", async () => {
  expect((await runLink(shapeResponse(linkRow), { work: () => ({ name: 7 }) })).status).toBe(500);
});
