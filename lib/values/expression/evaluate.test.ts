import { afterAll, describe, expect, test } from "vitest";
import { testProcessor } from "../../../test/harness/processor.ts";
import { sampleCases } from "../../../test/harness/runs.ts";
import { createSandbox } from "../../platform/sandbox/sandbox.ts";
import { evaluateTemplates } from "./evaluate.ts";
import { closeSession, openSession, type Scope, updateScope } from "./evaluation-scope.ts";

const sandbox = createSandbox();
afterAll(() => sandbox.close());

const clock = () => 0;
const budget = (totalMs = 60_000) => testProcessor(totalMs, sandbox);
const evaluate = (value: unknown, scope: Scope, processor = budget()) =>
  evaluateTemplates(value, scope, { processor, clock });

describe("evaluateTemplates", () => {
  test("follows plain paths without the sandbox", async () => {
    const none = testProcessor(0, sandbox);
    const scope = { input: { city: "Ulm" }, steps: { a: { output: [1] } } };
    const value = { a: "{% input.city %}", b: "in {% input.city %}: {% steps.a.output %}", c: 1 };
    expect(await evaluate(value, scope, none)).toEqual({ a: "Ulm", b: "in Ulm: [1]", c: 1 });
  });

  test("names the expression that reached a limit", { tags: "nightly" }, async () => {
    const slow = "{% $contains($pad('', 40, 'a') & 'b', /^(a+)+$/) %}";
    await expect(evaluate({ a: "{% 1 + 1 %}", b: `ab${slow}` }, {})).rejects.toThrow(
      "The expression at character 2 takes too long.",
    );
  });

  test("ends many expressions at the total of their unit of work", {
    tags: "nightly",
  }, async () => {
    const value = Array.from({ length: 1_000 }, () => "{% $sum([1..20000].($ * 2)) %}");
    await expect(evaluate(value, {}, budget(300))).rejects.toThrow(
      /exceeds? the 0.3 s of processor time that all expressions have together/,
    );
  });

  test("evaluates over a session's values as they are now", async () => {
    const session = openSession();
    const over = (scope: Scope, text: string) =>
      evaluateTemplates(text, scope, { processor: budget(), clock, session });
    const input = { n: 1 };
    const sum = "{% $sum([input.n, steps.*.output, item]) %}";
    expect(await over({ input, steps: {} }, sum)).toBe(1);
    expect(await over({ input, steps: { a: { output: 2 } } }, sum)).toBe(3);
    const steps = { a: { output: 2 }, b: { output: 3 } };
    expect(await over({ input, steps, item: 10 }, sum)).toBe(16);
    expect(await over({ input, steps }, sum)).toBe(6);
    closeSession(session);
  });

  const large = {
    text: "a".repeat(4_000_000),
    list: Array.from({ length: 800_000 }, (_, at) => at),
  };

  const overLarge: [string, string, keyof typeof large][] = [
    ["$split of text", "$count($split(input.text, ''))", "text"],
    ["$string of all", "$length($string([input, input, input]))", "list"],
    ["$split by a pattern", "$count($split(input.text, /a/))", "text"],
    ["$distinct", "$count($distinct(input.list))", "list"],
    ["$shuffle", "$count($shuffle(input.list))", "list"],
    ["$match", "$count($match(input.text, /a/))", "text"],
    ["$reverse and $append", "$count($append($reverse(input.list), input.list))", "list"],
    ["$zip", "$count($zip(input.list, input.list, input.list))", "list"],
    ["$map to objects", "$count($map(input.list, function($v) { {'v': [$v, $v]} }))", "list"],
  ];

  test.each(sampleCases(overLarge, 2))(
    "%s over 4 MB is refused or succeeds, and the sandbox continues",
    { tags: "nightly" },
    async (_name, expression, name) => {
      const input = { [name]: large[name] };
      const result = await evaluate(`{% ${expression} %}`, { input }).catch(String);
      expect(result).toEqual(
        typeof result === "number"
          ? expect.any(Number)
          : expect.stringMatching(
              /takes? longer|more memory|too many|too long|may be at most|more than/,
            ),
      );
      expect(await evaluate("{% 1 + 1 %}", {})).toBe(2);
    },
  );
});

describe("a session", () => {
  test("sends every value once per thread", () => {
    const session = openSession();
    const thread = {};
    const scope = { input: { a: 1 }, steps: { a: { output: "x" } } };
    const keys = (memory: object, seen: Scope) =>
      updateScope(memory, session, seen).added.map(([key]) => key);
    expect(keys(thread, scope)).toEqual(["input", "steps/a"]);
    expect(keys(thread, scope)).toEqual([]);
    expect(keys(thread, { ...scope, steps: { ...scope.steps, b: { output: 1 } } })).toEqual([
      "steps/b",
    ]);
    expect(keys({}, scope)).toEqual(["input", "steps/a"]);
  });

  test("is dropped by every thread that has it after it was closed", () => {
    const [one, other] = [{}, {}];
    const [first, second] = [openSession(), openSession()];
    for (const thread of [one, other]) updateScope(thread, first, { input: 1 });
    closeSession(first);
    for (const thread of [one, other]) {
      expect(updateScope(thread, second, {}).dropped).toEqual([first.id]);
    }
  });

  test("is dropped by the thread after it was closed, and the oldest when all are too large", {
    tags: "nightly",
  }, () => {
    const thread = {};
    const [first, second, third] = [openSession(), openSession(), openSession()];
    const large = () => ({ input: "x".repeat(10_000_000) });
    updateScope(thread, first, large());
    expect(updateScope(thread, second, large()).dropped).toEqual([]);
    expect(updateScope(thread, third, large()).dropped).toEqual([first.id]);
    closeSession(second);
    expect(updateScope(thread, third, {}).dropped).toEqual([second.id]);
  });
});
