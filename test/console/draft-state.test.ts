import { expect, test } from "vitest";
import { continueDraft, startDraft, withText } from "../../console/src/agents/flow/draft-state.ts";

const saved = '{"flow": {"steps": []}, "useSession": false}';

test("a draft that was not changed since it was sent continues with the saved revision", () => {
  const typed = withText(startDraft("{}"), '{"flow": {"steps": []}}');
  const next = continueDraft({ ...typed, sent: typed.text }, saved);
  expect(next).toMatchObject({ text: saved, draft: { useSession: false }, initial: saved });
});

test("text that was typed while the revision was saved is kept, valid or not, and counts as a change of it", () => {
  const sent = { ...withText(startDraft("{}"), '{"flow": {}}'), sent: '{"flow": {}}' };
  for (const text of ['{"flow": {}, "comment": "later"}', '{"flow": {}, "comm']) {
    const next = continueDraft(withText(sent, text), saved);
    expect(next).toMatchObject({ text, initial: saved, sent: undefined });
  }
});

test("a draft without changes shows a revision that was read again", () => {
  expect(continueDraft(startDraft("{}"), saved).text).toBe(saved);
});
