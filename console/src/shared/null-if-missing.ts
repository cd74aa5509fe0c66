import { isNotFound } from "./problem.ts";

/** Returns what a request reads, and null for 404: what an agent may have or not. */
export const nullIfMissing = async <Body>(read: Promise<Body>): Promise<Body | null> => {
  try {
    return await read;
  } catch (error) {
    if (isNotFound(error)) return null;
    throw error;
  }
};
