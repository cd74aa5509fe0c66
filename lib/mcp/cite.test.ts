import { describe, expect, test } from "vitest";
import { cite, readsResourceLinks } from "./cite.ts";

const passage = (documentName: string, link: string | null, text = "A passage.") => ({
  stepId: "find",
  assetId: "handbook",
  documentId: documentName,
  documentName,
  link,
  text,
  score: 1,
});

describe("the citations of an agent's response", () => {
  const deploy = passage("deploy.md", "https://example.com/deploy", "x".repeat(600));
  const citations = [
    deploy,
    passage("deploy.md", "https://example.com/deploy", "Another passage."),
    passage("upload.pdf", null),
    passage("script.md", "javascript:alert(1)"),
  ];

  test("are a link for every document on the web, and all passages in _meta", () => {
    const { links, meta } = cite(citations, true);
    expect(links).toEqual([
      {
        type: "resource_link",
        uri: "https://example.com/deploy",
        name: "deploy.md",
        description: "x".repeat(500),
      },
    ]);
    expect(meta).toEqual({ citations });
    expect(cite([], true)).toEqual({ links: [], meta: undefined });
  });

  test.each([
    ["2025-03-26", false],
    [undefined, false],
    ["2025-06-18", true],
    ["2026-07-28", true],
  ])("have links for a client that speaks %s: %s", (version, hasLinks) => {
    expect(readsResourceLinks(version)).toBe(hasLinks);
    expect(cite(citations, readsResourceLinks(version)).links).toHaveLength(hasLinks ? 1 : 0);
  });
});
