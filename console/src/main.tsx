import "@mantine/core/styles.css";
import "@mantine/notifications/styles.css";
import "./app/global.css";
import { MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { lazy, type ReactNode, StrictMode, Suspense } from "react";
import { createRoot } from "react-dom/client";
import { createQueryClient } from "./app/query-client.ts";
import { createConsoleRouter } from "./app/router.ts";
import { cssVariables, theme } from "./app/theme.ts";
import { type Session, startSession } from "./session/session.ts";
import { SessionContext } from "./session/session-context.ts";
import { SignInFailed } from "./session/sign-in-failed.tsx";
import { SignedInAgain } from "./session/signed-in-again.tsx";

const Toasts = lazy(() =>
  import("@mantine/notifications").then(({ Notifications }) => ({ default: Notifications })),
);

const container = document.getElementById("root");
if (!container) throw new Error("The page has no element with the id root.");
const root = createRoot(container);

const render = (content: ReactNode): void =>
  root.render(
    <StrictMode>
      <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
        {content}
        <Suspense>
          <Toasts />
        </Suspense>
      </MantineProvider>
    </StrictMode>,
  );

const App = ({ session }: { session: Session }) => (
  <QueryClientProvider client={createQueryClient()}>
    <SessionContext value={session}>
      <RouterProvider router={createConsoleRouter(session)} />
    </SessionContext>
  </QueryClientProvider>
);

try {
  const start = await startSession();
  if (start.type === "session") {
    if (start.returnTo !== undefined) history.replaceState(null, "", start.returnTo);
    render(<App session={start.session} />);
  } else if (start.type === "signed-in-again") {
    render(<SignedInAgain />);
  }
} catch (error) {
  render(<SignInFailed error={error} />);
}
