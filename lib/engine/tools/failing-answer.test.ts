import { expect, test } from "vitest";
import { excerptOf } from "./failing-answer.ts";

test("shows the first 2 KB of a failing answer, without the credentials that were sent", () => {
  const call = {
    method: "GET",
    url: "https://user:pass-word@api.example.com/x?api_key=query-secret&q=a",
    headers: { Authorization: "Bearer token-secret", "X-Api-Key": "header-secret", Accept: "json" },
  };
  const body = "no: token-secret header-secret query-secret pass-word json";
  expect(excerptOf(Buffer.from(body), call)).toBe("no: ******** ******** ******** ******** json");
  expect(excerptOf(Buffer.from("é".repeat(5_000)), call)).toBe("é".repeat(1_024));
});
