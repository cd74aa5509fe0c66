import { expect, test } from "vitest";
import { parseUrl } from "./parse-url.ts";

const hint = "ALLOW_PRIVATE_ADDRESSES=true";

test("an http URL of this machine or a private network is refused with the setting that allows it", () => {
  for (const host of ["localhost:4000", "app.localhost", "127.0.0.1:80", "[::1]", "10.0.0.7"]) {
    expect(() => parseUrl(`http://${host}/hook`, undefined, {})).toThrow(hint);
  }
});

test("other URLs that are refused do not name the setting", () => {
  for (const url of ["http://example.com/", "ftp://localhost/", "http://localhost.example.com/"]) {
    expect(() => parseUrl(url, undefined, {})).toThrow(/must start with https:\/\/\.$/);
  }
});
