/** A caller's window after a request was counted; the three rate-limit headers show it. Times in Unix milliseconds. */
export type RateLimit = {
  limit: number;
  remaining: number;
  resetsAt: number;
  /** Whether more requests were counted than the window allows. */
  isExceeded: boolean;
};
