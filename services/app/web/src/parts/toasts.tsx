import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';

const SHORT_MS = 2_500;

/** A short confirmation, which screen readers say too. */
export function say(message: string): void {
  const closeButtonProps = { 'aria-label': 'Close' };
  notifications.show({ message, autoClose: SHORT_MS, withBorder: true, role: 'status', closeButtonProps });
}

/** The time in which a change can be undone. */
export const UNDO_MS = 6_000;

/** A message that can be answered by undoing what it says. Closing it is not undoing. */
export function offerUndo(message: string, undo: () => void): string {
  const id = crypto.randomUUID();
  const answer = () => {
    notifications.hide(id);
    undo();
  };
  return notifications.show({
    id,
    autoClose: false,
    role: 'status',
    withBorder: true,
    withCloseButton: false,
    message: (
      <div className="undo">
        <span>{message}</span>
        <Button variant="default" data-undo onClick={answer}>
          Undo
        </Button>
      </div>
    ),
  });
}

export const hideToast = (id: string): string => notifications.hide(id);
