import type { Dispatch, ReactNode, SetStateAction } from "react";
import type { Agent, Revision } from "../../../../client/openapi.ts";
import type { FormTexts } from "../../shared/form-from-schema.tsx";

/** The revision that “Try it” runs, and its inputs. */
export type TriedProps = {
  agent: Agent;
  revision: Revision;
  /** Its number, to test it; undefined for the deployed one, which is executed. */
  testRevision: number | undefined;
  /** Texts of the inputs, as typed. */
  texts: FormTexts;
  onTexts: Dispatch<SetStateAction<FormTexts>>;
  /** The choice of the revision. */
  children: ReactNode;
};
