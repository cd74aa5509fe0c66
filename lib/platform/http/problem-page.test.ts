import { expect, test } from "vitest";
import { explainProblem, ProblemExplanation } from "./problem-explanation.ts";
import { problemPage } from "./problem-page.ts";
import { problemRegistry } from "./problem-registry.ts";

const slugs = Object.keys(problemRegistry);

test.each(slugs)("%s has a page with its meaning, a remedy and an example", (slug) => {
  const explanation = ProblemExplanation.parse(explainProblem(slug, "/live"));
  expect(explanation.example.instance).toMatch(/^\/live\/v1\//);
  const page = problemPage(explanation);
  expect(page.match(/<h[12]>.*<\/h[12]>/g)).toEqual([
    `<h1>${explanation.title}</h1>`,
    "<h2>What it means</h2>",
    "<h2>What to do</h2>",
    "<h2>Example</h2>",
  ]);
  expect(page).toContain(`"type": "/live/problems/${slug}"`);
});

test("the text of a page is escaped", () => {
  const explanation = ProblemExplanation.parse(explainProblem("not-found"));
  const page = problemPage({ ...explanation, help: "<b>&", example: { detail: "</pre>" } });
  expect(page).toContain("<p>&lt;b&gt;&amp;</p>");
  expect(page).toContain('"detail": "&lt;/pre&gt;"');
});

test("an unknown slug has no explanation, also one that every object has", () => {
  expect(explainProblem("no-such-problem")).toBeUndefined();
  expect(explainProblem("constructor")).toBeUndefined();
});
