import { Button, Kbd } from "@mantine/core";
import { useHotkeys } from "@mantine/hooks";
import { lazy, Suspense, useState } from "react";
import { SearchIcon } from "../shared/icons.tsx";

const load = () =>
  import("./command-palette.tsx").then(({ CommandPalette }) => ({ default: CommandPalette }));
const CommandPalette = lazy(load);

const isMac = navigator.userAgent.includes("Mac");

const openAgain = async (): Promise<void> => {
  const { spotlight } = await import("@mantine/spotlight");
  spotlight.open();
};

/** Opens the command palette, which is loaded when it is first used. */
export const PaletteButton = () => {
  const [isLoaded, setIsLoaded] = useState(false);
  const open = (): void => {
    if (isLoaded) void openAgain();
    else setIsLoaded(true);
  };
  // Once it is loaded, the palette has the shortcut.
  useHotkeys(isLoaded ? [] : [["mod+K", open]], []);
  return (
    <>
      <Button
        variant="default"
        leftSection={<SearchIcon />}
        rightSection={
          <Kbd size="xs" aria-hidden>
            {isMac ? "⌘" : "Ctrl"} K
          </Kbd>
        }
        aria-keyshortcuts="Control+K Meta+K"
        onClick={open}
        onPointerEnter={() => void load()}
        visibleFrom="sm"
      >
        Go to
      </Button>
      <Button
        variant="default"
        px="xs"
        aria-label="Go to"
        onClick={open}
        onPointerEnter={() => void load()}
        hiddenFrom="sm"
      >
        <SearchIcon />
      </Button>
      {isLoaded && (
        <Suspense>
          <CommandPalette />
        </Suspense>
      )}
    </>
  );
};
