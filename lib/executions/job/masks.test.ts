import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { testRuntime } from "../../../test/harness/runtime.ts";
import type { StepOutcome } from "../../engine/flow/flow-result.ts";
import { findSecrets, replaceFound } from "../../values/text/find-secrets.ts";
import type { Job } from "./job.ts";
import { maskInEvents, maskInText, maskInValue } from "./masks.ts";
import { fromStored, toStoredStep } from "./stored-outcome.ts";

/** Texts of few characters, so that they overlap with each other and themselves. */
const fragment = (maxLength: number) =>
  fc.string({ unit: fc.constantFrom("a", "b"), minLength: 1, maxLength });

/** A few secrets, or many of all lengths, of which long ones are found by their parts. */
const secretList = fc.oneof(
  fc.array(fragment(12), { maxLength: 5 }),
  fc
    .array(fragment(9), { minLength: 45, maxLength: 60 })
    .map((texts) =>
      texts.map((text, at) => text.repeat(at + 1).slice(0, at + 6) + "c".repeat(at % 3)),
    ),
);

const text = (secrets: readonly string[]) =>
  fc
    .array(fc.oneof(fragment(20), fc.constantFrom(...secrets, "-")), { maxLength: 10 })
    .map((parts) => parts.join(""));

const secretsAndText = secretList.chain((secrets) => fc.tuple(fc.constant(secrets), text(secrets)));

describe("masked text", () => {
  test("contains no secret of 6 or more characters, whatever the secrets are and how they overlap", () => {
    fc.assert(
      fc.property(secretsAndText, ([secrets, whole]) => {
        const shown = maskInText(whole, secrets);
        for (const secret of secrets) {
          if (secret.length >= 6) expect(shown).not.toContain(secret);
          expect(shown).not.toBe(secret);
        }
      }),
    );
  });

  test("shows no character of a secret of 6 or more", () => {
    fc.assert(
      fc.property(secretsAndText, ([secrets, whole]) => {
        const found = findSecrets(secrets).find(whole);
        const isFound = (at: number) => found.some(({ start, end }) => start <= at && at < end);
        for (const secret of secrets.filter(({ length }) => length >= 6)) {
          for (let at = whole.indexOf(secret); at !== -1; at = whole.indexOf(secret, at + 1)) {
            expect([...secret].every((_, index) => isFound(at + index))).toBe(true);
          }
        }
      }),
    );
  });

  test("keeps every character that is in no secret", () => {
    fc.assert(
      fc.property(secretsAndText, ([secrets, whole]) => {
        const long = secrets.filter(({ length }) => length >= 6);
        const shortPart = Math.min(32, ...long.map(({ length }) => length));
        const found = findSecrets(secrets).find(whole);
        for (const { start, end, at, from } of found) {
          expect(end - start).toBeGreaterThanOrEqual(shortPart);
          expect(whole.slice(start, end)).toBe(secrets[at]?.slice(from, from + end - start));
        }
        const [first = "", ...others] = replaceFound(whole, found, () => "\n").split("\n");
        expect(whole.startsWith(first)).toBe(true);
        expect(others.length).toBeLessThanOrEqual(found.length);
      }),
    );
  });

  test("of secrets with up to 32 lengths is masked only where a whole secret is", () => {
    const secret = "x".repeat(40) + "y".repeat(40);
    expect(maskInText(`${"x".repeat(40)} ${secret}!`, [secret])).toBe(
      `${"x".repeat(40)} ********!`,
    );
    const others = Array.from({ length: 32 }, (_, at) => "z".repeat(at + 6));
    expect(maskInText(`${"x".repeat(40)} ${secret}!`, [secret, ...others])).toBe(
      "******** ********!",
    );
  });

  test("that arrives in pieces is masked as the whole is", () => {
    fc.assert(
      fc.property(secretsAndText, fc.integer({ min: 1, max: 30 }), ([secrets, whole], size) => {
        let shown = "";
        const send = maskInEvents(secrets, (event) => {
          if (event.type === "output.delta") shown += event.text;
        });
        for (let at = 0; at < whole.length; at += size) {
          send({ type: "output.delta", stepId: "ask", text: whole.slice(at, at + size) });
        }
        send({ type: "step.completed", stepId: "ask", output: "" });
        if (secrets.includes(whole)) return;
        expect(shown).toBe(maskInText(whole, secrets));
      }),
    );
  });
});

test("the state of a suspended step is stored without a secret, and read again as it was", () => {
  const { randomBytes, clock } = testRuntime();
  fc.assert(
    fc.property(secretsAndText, ([secrets, whole]) => {
      const revision = { content: { parametersMetadata: [], subAgents: [] } };
      const inherited = { inTraces: secrets, inOutputs: [] };
      const job = { revision, values: {}, inherited } as unknown as Job;
      const state = { [whole]: [whole, 4711] };
      const outcome = { spans: [], suspended: { state, notes: {} } } as unknown as StepOutcome;
      const stored = toStoredStep({ randomBytes, clock }, job, outcome);
      const shown = JSON.stringify(stored.suspended?.state);
      for (const secret of secrets) if (secret.length >= 6) expect(shown).not.toContain(secret);
      expect(fromStored(job, stored).suspended?.state).toEqual(state);
    }),
  );
});

describe("secrets that a tenant chooses to keep the processor busy are masked in time", {
  timeout: 20_000,
}, () => {
  test("20,000 of them, in 20,000 texts", () => {
    const secrets = Array.from({ length: 20_000 }, (_, at) => `secret-${at * 7_919}-${at}`);
    const nearly = secrets.map((_, at) => `secret-${at * 7_919}-${at + 1}`);
    const shown = maskInValue(
      nearly.map((text, at) => `${text} ${secrets[at]}`),
      secrets,
    );
    expect(String(shown) === nearly.map((text) => `${text} ********`).join(",")).toBe(true);
  });

  test("one that is like the text but for a character", () => {
    const half = "a".repeat(250_000);
    const whole = "a".repeat(1_000_000);
    expect(maskInText(whole, [`${half}b${half}`]) === whole).toBe(true);
  });

  test("one that is long, in a text that arrives in small pieces", () => {
    let length = 0;
    const send = maskInEvents([`${"a".repeat(100_000)}b`], (event) => {
      if (event.type === "output.delta") length += event.text.length;
    });
    for (let at = 0; at < 20_000; at += 1) {
      send({ type: "output.delta", stepId: "ask", text: "aaaaaaaaaa" });
    }
    send({ type: "step.completed", stepId: "ask", output: "" });
    expect(length).toBe(200_000);
  });
});
