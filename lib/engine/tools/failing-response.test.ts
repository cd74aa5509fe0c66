import { expect, test } from "vitest";
import { maskedExcerpt } from "./failing-response.ts";

test("shows the first 2 KB of a failing response, without the sent credentials", () => {
  const call = {
    method: "GET",
    url: "https://user:pass-word@api.example.com/x?api_key=query-secret&q=a",
    headers: { Authorization: "Bearer token-secret", "X-Api-Key": "header-secret", Accept: "json" },
  };
  const body = "no: token-secret header-secret query-secret pass-word json";
  expect(maskedExcerpt(Buffer.from(body), call)).toBe(
    "no: ******** ******** ******** ******** json",
  );
  expect(maskedExcerpt(Buffer.from("é".repeat(5_000)), call)).toBe("é".repeat(1_024));
});
