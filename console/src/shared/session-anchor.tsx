import { Anchor } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useTenant } from "../session/tenant.ts";

type SessionAnchorProps = { agent: string; session: string; children: ReactNode };

/** Links to the page of a session of an agent. Its id may have any characters. */
export const SessionAnchor = ({ agent, session, children }: SessionAnchorProps) => {
  const tenant = useTenant();
  return (
    <Anchor
      style={{ overflowWrap: "anywhere" }}
      renderRoot={(props) => (
        <Link
          {...props}
          to="/t/$tenant/sessions/$agent/$session"
          params={{ tenant, agent, session }}
        />
      )}
    >
      {children}
    </Anchor>
  );
};
