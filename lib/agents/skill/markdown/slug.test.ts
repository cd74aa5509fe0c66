import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ChosenId } from "../../../platform/http/ids.ts";
import { humanize, parseSkillFileName, toSkillId } from "./names.ts";
import { toSlug } from "./slug.ts";

describe("a slug", () => {
  test.each([
    ["pdf-forms", "pdf-forms"],
    ["PDF Forms", "pdf-forms"],
    ["Über die Straße", "uber-die-strasse"],
    ["Łódź & Ærø", "lodz-aero"],
    ["don't panic!", "dont-panic"],
    ["http_headers v1.2", "http_headers-v1.2"],
    ["  --a///b--  ", "a-b"],
    ["ﬁle ℡ ①", "file-tel-1"],
    ["日本語", ""],
    ["../..", ""],
    ["", ""],
  ])("of %j is %j", (text, slug) => {
    expect(toSlug(text)).toBe(slug);
  });

  test("is a valid id or empty, and its own slug, for any text", { tags: "nightly" }, () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 400 }), (text) => {
        const slug = toSlug(text);
        expect(toSlug(slug)).toBe(slug);
        if (slug !== "") ChosenId.parse(slug);
      }),
    );
  });
});

describe("an id", () => {
  test("is never empty, and is the same for the same names", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: "binary" }), { maxLength: 4 }), (names) => {
        const id = toSkillId(names);
        ChosenId.parse(id);
        expect(toSkillId(names)).toBe(id);
      }),
    );
  });

  test("comes from the first name that can be an id, and differs if none can", () => {
    expect(toSkillId(["日本語", "Travel"])).toBe("travel");
    expect(toSkillId(["日本語"])).not.toBe(toSkillId(["中文"]));
  });
});

test.each([
  ["notes.md", "notes", false],
  ["a/b/My Notes.markdown", "My Notes", false],
  ["C:\\skills\\pdf-forms\\SKILL.md", "pdf-forms", true],
  ["./travel/skill.md", "travel", true],
  ["SKILL.md", "skill", false],
  ["../SKILL.md", "skill", false],
  ["v1.2", "v1.2", false],
  ["/", "", false],
])("the file %s is called %s", (file, name, isFolder) => {
  expect(parseSkillFileName(file)).toEqual({ name, isFolder });
});

test.each([
  ["pdf-forms", "Pdf Forms"],
  ["iOS_helper", "IOS Helper"],
  ["PDF", "PDF"],
  ["", ""],
])("%j as words is %j", (name, words) => {
  expect(humanize(name)).toBe(words);
});
