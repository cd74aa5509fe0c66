import fc from "fast-check";
import { expect, test } from "vitest";
import {
  changeDraft,
  continueDocument,
  type EditedDocument,
  hasChanges,
  noteSent,
  readText,
  redoChange,
  startDocument,
  typeText,
  undoChange,
} from "../../console/src/agents/flow/edited-document.ts";
import { addStep, changeStep } from "../../console/src/flow-graph/edit-flow.ts";

const saved = '{"flow": {"steps": []}, "useSession": false}';
const start = startDocument("{}");

const setName =
  (name: string, time: number) =>
  (document: EditedDocument): EditedDocument =>
    changeDraft(document, (draft) => changeStep(draft, "a", (step) => ({ ...step, name })), time);

test("a document that was not changed since it was sent continues with the saved revision", () => {
  const next = continueDocument(noteSent(typeText(start, '{"flow": {"steps": []}}', 0)), saved);
  expect(readText(next)).toBe(saved);
  expect(next).toMatchObject({ present: { draft: { useSession: false } }, initial: saved });
  expect(hasChanges(next)).toBe(false);
});

test("text that was typed while the revision was saved is kept, valid or not, and counts as a change of it", () => {
  const sent = noteSent(typeText(start, '{"flow": {}}', 0));
  for (const text of ['{"flow": {}, "comment": "later"}', '{"flow": {}, "comm']) {
    const next = continueDocument(typeText(sent, text, 1), saved);
    expect(next).toMatchObject({ initial: saved, sent: undefined });
    expect(readText(next)).toBe(text);
    expect(hasChanges(next)).toBe(true);
  }
});

test("a document without changes shows a revision that was read again", () => {
  expect(readText(continueDocument(start, saved))).toBe(saved);
});

test("typing at one place without a pause is one step of the history, and every other change is one", () => {
  const withStep = changeDraft(
    startDocument('{"flow": {"steps": [{"id": "a", "type": "Output"}], "edges": []}}'),
    (draft) => addStep(draft, "Prompt", "a").draft,
    0,
  );
  const named = ["A", "As", "Ask"].reduce(
    (document, name, at) => setName(name, 100 * at)(document),
    withStep,
  );
  expect(named.past).toHaveLength(2);
  const paused = setName("Ask!", 5_000)(named);
  expect(paused.past).toHaveLength(3);
  expect(readText(undoChange(paused))).toBe(readText(named));
  expect(readText(undoChange(undoChange(paused)))).toBe(readText(withStep));
});

test("an undo after a save leads back to what was there before it", () => {
  const changed = noteSent(typeText(start, '{"comment": "one"}', 0));
  const undone = undoChange(continueDocument(changed, '{"comment": "one"}'));
  expect(readText(undone)).toBe("{}");
  expect(hasChanges(undone)).toBe(true);
});

test("undo returns through every version, and redo forward again, whatever was changed", () => {
  const edit = fc.oneof(
    fc.record({ text: fc.json() }),
    fc.record({ comment: fc.string() }),
    fc.constant({ text: '{"not JSON' }),
  );
  fc.assert(
    fc.property(fc.array(edit, { maxLength: 30 }), (edits) => {
      const versions = [start];
      for (const [at, change] of edits.entries()) {
        const before = versions.at(-1) ?? start;
        const time = at * 10_000;
        const after =
          "text" in change
            ? typeText(before, change.text, time)
            : changeDraft(before, (draft) => ({ ...draft, comment: change.comment }), time);
        if (after !== before) versions.push(after);
      }
      const texts = versions.map(readText);
      let document = versions.at(-1) ?? start;
      for (const text of texts.toReversed().slice(1)) {
        document = undoChange(document);
        expect(readText(document)).toBe(text);
      }
      expect(undoChange(document)).toBe(document);
      for (const text of texts.slice(1)) {
        document = redoChange(document);
        expect(readText(document)).toBe(text);
      }
      expect(redoChange(document)).toBe(document);
    }),
  );
});

test("a change after an undo replaces what was undone", () => {
  const first = typeText(start, '{"a": 1}', 0);
  const other = typeText(undoChange(first), '{"b": 1}', 1);
  expect(redoChange(other)).toBe(other);
  expect(readText(undoChange(other))).toBe("{}");
});
