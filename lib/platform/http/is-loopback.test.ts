import { expect, test } from "vitest";
import { isLoopback } from "./is-loopback.ts";

test.each([
  "http://localhost",
  "http://LOCALHOST:8787/path",
  "http://127.0.0.1",
  "http://127.255.255.254:80",
  "http://127.1",
  "http://2130706433",
  "http://[::1]:8787",
  "http://[0:0:0:0:0:0:0:1]",
])("%s is this machine", (url) => {
  expect(isLoopback(new URL(url))).toBe(true);
});

test.each([
  "http://localhost.evil.example",
  "http://evil.localhost",
  "http://127.0.0.1.evil.example",
  "http://127.evil.example",
  "http://localhost@evil.example",
  "http://evil.example/localhost",
  "http://evil.example#127.0.0.1",
  "http://0.0.0.0",
  "http://128.0.0.1",
  "http://[::2]",
  "http://[::ffff:127.0.0.1]",
])("%s is not this machine", (url) => {
  expect(isLoopback(new URL(url))).toBe(false);
});
