import { expect, test } from "vitest";
import { nameOffers } from "./name-offers.ts";

const offer = (name: string) => ({
  name,
  describe: async () => undefined,
  call: async () => ({ ok: true as const, value: null }),
});

test("names are unique, in order, at most 128 characters, and have only the characters that MCP allows", () => {
  const names = ["say hello", "say_hello", "say hello", "é", "", "x".repeat(200)];
  const offers = names.map(offer);
  const named = nameOffers(offers);
  expect([...named.values()]).toEqual(offers);
  expect([...named.keys()].slice(0, 3)).toEqual(["say_hello", "say_hello_2", "say_hello_3"]);
  for (const name of named.keys()) expect(name).toMatch(/^[A-Za-z0-9_.-]{1,128}$/);
});
