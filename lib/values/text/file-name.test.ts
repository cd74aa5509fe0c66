import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findResponseName, toFileName } from "./file-name.ts";

describe("the name of a response", () => {
  const find = (header: string | undefined, url: string) =>
    toFileName(findResponseName(header, url));

  test.each([
    ["its last part of the path", undefined, "https://a.example/x/cat.png?y=1", "cat.png"],
    ["its path, decoded", undefined, "https://a.example/my%20cat.png", "my cat.png"],
    ["nothing without a path", undefined, "https://a.example/", ""],
    ["the header", 'attachment; filename="a b.pdf"', "https://a.example/x", "a b.pdf"],
    [
      "the extended header",
      "attachment; filename=x; filename*=UTF-8''%C3%A4.pdf",
      "https://a.example/x",
      "ä.pdf",
    ],
    ["no folder", 'attachment; filename="../../etc/passwd"', "https://a.example/x", "passwd"],
    [
      "no folder of Windows",
      'attachment; filename="..\\\\\\\\x.exe"',
      "https://a.example/x",
      "x.exe",
    ],
  ])("is that of %s", (_, header, url, name) => {
    expect(find(header, url)).toBe(name);
  });

  test("never contains a folder or a control character", () => {
    fc.assert(
      fc.property(fc.string(), fc.webUrl(), (header, url) => {
        expect(find(`attachment; filename="${header}"`, url)).toMatch(/^[^\p{Cc}/\\]{0,200}$/u);
      }),
    );
  });
});
