import { useEffect, useState } from "react";
import { ProblemError } from "../../../../client/problem-error.ts";
import type { Draft } from "../../flow-graph/edit-flow.ts";
import { type Refusals, sortRefusals } from "../../flow-graph/refusals.ts";
import { useClient } from "../../session/session-context.ts";
import { useTenant } from "../../session/tenant.ts";
import { problemsAt } from "../../shared/problem.ts";

const pauseMs = 700;
/** No step has this id: a test of it checks the draft, and runs nothing. */
const noStep = "";

/** Lets the API check the draft while it is edited; undefined before its first response, and for who may not test it. */
export const useDraftCheck = (
  agent: string,
  draft: Draft,
  isEnabled: boolean,
): Refusals | undefined => {
  const client = useClient();
  const tenant = useTenant();
  const [found, setFound] = useState<Refusals>();
  useEffect(() => {
    if (!isEnabled) {
      setFound(undefined);
      return;
    }
    const controller = new AbortController();
    const check = async (): Promise<void> => {
      try {
        await client.POST("/v1/tenants/{tenant}/agents/{agent}:test-draft", {
          params: { path: { tenant, agent } },
          body: { revision: draft, only: noStep },
          signal: controller.signal,
        });
      } catch (error) {
        // Without a response, what was found before stays.
        if (!(error instanceof ProblemError) || error.status !== 400) return;
        if (!controller.signal.aborted) {
          setFound(sortRefusals(problemsAt(error.fields, "/revision"), draft));
        }
      }
    };
    const timer = setTimeout(() => void check(), pauseMs);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [client, tenant, agent, draft, isEnabled]);
  return found;
};
