import { conflict } from "../../platform/http/problems.ts";

/** Attempts of a change of a config that others change, before its 409. */
export const changeRetries = {
  attempts: 25,
  maxPauseMs: 300,
  error: () => conflict("The config is being changed by too many concurrent requests. Try again."),
};
