import { describe, expect, test } from "vitest";
import { hasRoomForSources, selectSources } from "./select-sources.ts";

const cited = (documentName: string, link: string | null = null) => ({
  ...{ stepId: "ask", assetId: "docs", documentId: documentName, text: "A passage.", score: 1 },
  ...{ documentName, link },
});

describe("the sources of a reply", () => {
  const deploy = cited("deploy.md", "https://example.com/deploy");
  const terms = cited("terms.md", "https://example.com/terms");
  const upload = cited("upload.pdf");

  test("are the documents that its text names, without duplicates", () => {
    expect(selectSources("As deploy.md says.", [terms, deploy, deploy, upload])).toEqual({
      heading: "Sources:",
      items: [{ title: "deploy.md", link: "https://example.com/deploy" }],
    });
  });

  test("are what was found, when its text names none", () => {
    expect(selectSources("Yes.", [terms, upload])).toEqual({
      heading: "Documents found:",
      items: [
        { title: "terms.md", link: "https://example.com/terms" },
        { title: "upload.pdf", link: null },
      ],
    });
    const many = Array.from({ length: 9 }, (_, at) => cited(`${at}.md`));
    expect(selectSources("Yes.", many)?.items).toHaveLength(5);
  });

  test("leave out what its text links to, and links that are none of the web", () => {
    expect(selectSources("See https://example.com/deploy.", [deploy, terms])).toBeUndefined();
    expect(selectSources("Yes.", [])).toBeUndefined();
    expect(selectSources("Yes.", [cited("a\n b", "javascript:alert(1)")])?.items).toEqual([
      { title: "a b", link: null },
    ]);
  });

  test("are sent on their own when the last part has no room", () => {
    const sources = {
      heading: "Sources:",
      items: [{ title: "a.md", link: "https://example.com" }],
    };
    expect(hasRoomForSources("x".repeat(1_900), sources, { longest: 2_000 })).toBe(true);
    expect(hasRoomForSources("x".repeat(1_960), sources, { longest: 2_000 })).toBe(false);
    const weigh = (character: string) => (character === "<" ? 4 : 1);
    expect(hasRoomForSources("<".repeat(490), sources, { longest: 2_000, weigh })).toBe(false);
  });
});
