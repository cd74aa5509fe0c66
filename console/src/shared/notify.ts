type Toast = { message: string };

/** Toasts are loaded with the first one: no page needs them to start. */
const show = async (toast: Toast & { color: string; autoClose: number | false }): Promise<void> => {
  const { notifications } = await import("@mantine/notifications");
  notifications.show({ ...toast, closeButtonProps: { "aria-label": "Dismiss" } });
};

/** Shows that an action succeeded, for a few seconds. */
export const notifyDone = ({ message }: Toast): void => {
  void show({ message, color: "teal", autoClose: 5_000 });
};

/** Shows a problem until it is closed. */
export const notifyProblem = ({ message }: Toast): void => {
  void show({ message, color: "red", autoClose: false });
};
