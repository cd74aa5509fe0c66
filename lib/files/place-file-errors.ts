import * as z from "zod";
import { type Problem, validationFailed } from "../platform/http/problems.ts";
import type { FilePlaces } from "./assign-files.ts";

const Errors = z.object({ errors: z.array(z.object({ pointer: z.string(), detail: z.string() })) });

/** Returns a problem of inputs with pointers to the parts of the request that their files came from. */
export const placeFileErrors = (problem: Problem, places: FilePlaces): Problem => {
  if (problem.slug !== "validation-failed" || places.size === 0) return problem;
  const { data } = Errors.safeParse(problem.members);
  if (!data) return problem;
  const errors = data.errors.map(({ pointer, detail }) => ({
    pointer: findPlace(pointer, places) ?? pointer,
    detail,
  }));
  return validationFailed(errors);
};

/** Returns the place of an input, or of the input that a pointer is within. */
const findPlace = (pointer: string, places: FilePlaces): string | undefined => {
  const found = places.get(pointer);
  const end = pointer.lastIndexOf("/");
  return found !== undefined || end <= 0 ? found : findPlace(pointer.slice(0, end), places);
};
