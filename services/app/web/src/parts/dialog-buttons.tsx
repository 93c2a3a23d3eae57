import type { ReactNode } from 'react';
import { Button } from '@mantine/core';

interface Props {
  close: () => void;
  isPending: boolean;
  /** The text of the button that sends the form. */
  submit: string;
  /** Buttons between the two. */
  children?: ReactNode;
}

/** The end of a dialog with a form. */
export function DialogButtons({ close, isPending, submit, children }: Props) {
  return (
    <div className="row-end">
      <Button variant="default" onClick={close}>
        Cancel
      </Button>
      {children}
      <Button type="submit" loading={isPending}>
        {submit}
      </Button>
    </div>
  );
}
