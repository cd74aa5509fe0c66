import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { FlowEvent } from "../../engine/flow/flow-result.ts";
import { maskInEvents, maskInText } from "./masks.ts";

const secrets = ["s3cret-token", "secret-two", "aaaaaa", "abc"];

const delta = (text: string, stepId = "ask"): FlowEvent => ({ type: "output.delta", stepId, text });
const completed: FlowEvent = { type: "step.completed", stepId: "ask", output: "done" };

/** Returns the masked events. */
const pass = (events: readonly FlowEvent[]): FlowEvent[] => {
  const sent: FlowEvent[] = [];
  const send = maskInEvents(secrets, (event) => sent.push(event));
  for (const event of events) send(event);
  return sent;
};
const joinDeltas = (events: readonly FlowEvent[], stepId = "ask"): string =>
  events
    .map((event) => (event.type === "output.delta" && event.stepId === stepId ? event.text : ""))
    .join("");

describe("the events of a run with secrets", () => {
  test("contain nothing of a secret, however the text of a model is divided, and all other text", () => {
    const word = fc.constantFrom(...secrets, "s3cret", "-token", "aaa", "x", " ", "token, ab");
    const text = fc.array(word, { maxLength: 12 }).map((words) => words.join(""));
    const cuts = fc.array(fc.nat({ max: 9 }), { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(text, cuts, (whole, sizes) => {
        const pieces: FlowEvent[] = [];
        let rest = whole;
        for (const size of sizes) {
          pieces.push(delta(rest.slice(0, size)));
          rest = rest.slice(size);
        }
        const sent = pass([...pieces, delta(rest), completed]);
        expect(joinDeltas(sent)).toBe(maskInText(whole, secrets));
        expect(sent.at(-1)).toEqual(completed);
      }),
    );
  });

  test("keep the texts of concurrent steps, and of the attempts of a step, apart", () => {
    const error = { slug: "upstream-failed", detail: "not s3cret-token", step: "ask" } as const;
    const failed: FlowEvent = {
      type: "step.failed",
      stepId: "ask",
      error,
      willRetry: true,
      handled: false,
    };
    const sent = pass([
      delta("s3cret"),
      delta("s3cret", "other"),
      delta("-tok"),
      failed,
      delta("en"),
      delta("-token", "other"),
      completed,
      { ...completed, stepId: "other", output: { said: ["is s3cret-token"] } },
    ]);
    expect(joinDeltas(sent)).toBe("s3cret-token");
    expect(joinDeltas(sent, "other")).toBe("********");
    expect(sent.filter(({ type }) => type !== "output.delta")).toEqual([
      { ...failed, error: { ...error, detail: "not ********" } },
      completed,
      { ...completed, stepId: "other", output: { said: ["is ********"] } },
    ]);
  });

  test("are sent immediately if there are no secrets", () => {
    const sent: FlowEvent[] = [];
    const send = (event: FlowEvent) => void sent.push(event);
    expect(maskInEvents([], send)).toBe(send);
  });
});
