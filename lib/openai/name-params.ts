import * as z from "zod";
import { NotDeployed } from "../executions/run/execute-agent.ts";
import type { FilePlaces } from "../files/assign-files.ts";
import { placeFileErrors } from "../files/place-file-errors.ts";
import { addMembers, Problem } from "../platform/http/problems.ts";
import { noModel } from "./ids.ts";

/** Names of the parameters of a request. */
export type ParamNames = {
  model: string;
  /** The one with the messages. */
  text: "input" | "messages";
  /** The one that names the session; undefined without one. */
  session: string | undefined;
  /** Returns the parts of messages that files of inputs are from. */
  getPlaces: () => FilePlaces;
};

const Errors = z.object({ errors: z.array(z.object({ pointer: z.string() })).min(1) });

/** Runs work that throws the problems of `:execute`, and names the parameters of the request in them. */
export const nameParams = async <Result>(
  names: ParamNames,
  work: () => Promise<Result>,
): Promise<Result> => {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    throw nameParam(placeFileErrors(error, names.getPlaces()), names);
  }
};

const nameParam = (problem: Problem, { model, text, session }: ParamNames): Problem => {
  const { slug, members } = problem;
  if (slug === "not-found" && members.param === undefined) return noModel(model);
  if (slug === "conflict" && members.param === undefined) {
    const param = problem.cause instanceof NotDeployed ? "model" : (session ?? "model");
    return addMembers(problem, { param });
  }
  if (slug !== "validation-failed") return problem;
  const pointer = Errors.safeParse(members).data?.errors[0]?.pointer ?? "";
  const own = pointer.startsWith("/session") ? session : undefined;
  const param = /^\/input\b/.test(pointer) && text === "messages" ? "messages" : own;
  if (param === undefined) return problem;
  return addMembers(problem, { param });
};
