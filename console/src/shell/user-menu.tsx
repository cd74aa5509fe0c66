import { lazy, Suspense, useState } from "react";
import { useSession } from "../session/session-context.ts";
import { UserButton } from "./user-button.tsx";

const load = () =>
  import("./user-menu-items.tsx").then(({ UserMenuItems }) => ({ default: UserMenuItems }));
const UserMenuItems = lazy(load);

/** The user, the colour scheme and the sign-out. The menu is loaded when it is first opened. */
export const UserMenu = () => {
  const { email } = useSession().user;
  const [isLoaded, setIsLoaded] = useState(false);
  const [isOpen, setIsOpen] = useState(false);
  const open = (): void => {
    setIsLoaded(true);
    setIsOpen(true);
  };
  const button = (
    <UserButton
      email={email}
      aria-haspopup="menu"
      onClick={open}
      onPointerEnter={() => void load()}
      onFocus={() => void load()}
    />
  );
  if (!isLoaded) return button;
  return (
    <Suspense fallback={button}>
      <UserMenuItems isOpen={isOpen} onChange={setIsOpen} />
    </Suspense>
  );
};
