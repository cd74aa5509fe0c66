import { explainProblem, problemPage } from "../../lib/http/problem-page.ts";
import { notFound } from "../../lib/http/problems.ts";
import { publicEndpoint } from "../../lib/http/public-endpoint.ts";
import { Reply } from "../../lib/http/respond.ts";
import { getProblem } from "./routes.ts";

export const handler = publicEndpoint(getProblem, ({ params, headers }) => {
  const explanation = explainProblem(params.slug);
  if (!explanation) throw notFound("kind of problem", params.slug);
  const wantsPage = headers.get("accept")?.some((types) => types.includes("text/html"));
  if (!wantsPage) return explanation;
  return new Reply(problemPage(explanation), { "Content-Type": "text/html; charset=utf-8" });
});
