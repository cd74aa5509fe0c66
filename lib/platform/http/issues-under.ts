import * as z from "zod";
import { Problem, validationFailed } from "./problems.ts";

const Members = z.object({
  errors: z.array(z.object({ pointer: z.string(), detail: z.string() })),
});

/** Runs the checks of a part of the body: the pointers of its 400 begin with that of the part. */
export const issuesUnder = async <Result>(
  pointer: string,
  check: () => Promise<Result>,
): Promise<Result> => {
  try {
    return await check();
  } catch (error) {
    if (!(error instanceof Problem) || error.slug !== "validation-failed") throw error;
    const { errors } = Members.parse(error.members);
    throw validationFailed(errors.map((issue) => ({ ...issue, pointer: pointer + issue.pointer })));
  }
};
