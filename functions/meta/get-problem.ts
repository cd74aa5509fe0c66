import { publicEndpoint } from "../../lib/edge/public-endpoint.ts";
import { Reply } from "../../lib/edge/respond.ts";
import { explainProblem } from "../../lib/platform/http/problem-explanation.ts";
import { problemPage, problemPageHeaders } from "../../lib/platform/http/problem-page.ts";
import { notFound } from "../../lib/platform/http/problems.ts";
import * as rows from "./routes.ts";

export const handler = publicEndpoint(rows.getProblem, ({ ctx, params, headers }) => {
  const explanation = explainProblem(params.slug, ctx.basePath);
  if (!explanation) throw notFound("kind of problem", params.slug);
  const wantsPage = headers.get("accept")?.some((types) => types.includes("text/html"));
  if (!wantsPage) return explanation;
  return new Reply(problemPage(explanation), problemPageHeaders);
});
