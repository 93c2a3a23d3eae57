import { Button } from '@mantine/core';
import { AppFault } from '../api/fault.ts';
import { CopyText } from './copy-text.tsx';
import classes from './fault-note.module.css';
import { Icon } from './icon.tsx';

interface Props {
  error: unknown;
  retry?: () => void;
  /** It stands in the place of the page, which needs a heading. */
  isPage?: boolean;
}

/** In a long form the refusal would stand below the edge. */
const intoView = (note: HTMLElement | null) => note?.scrollIntoView({ block: 'nearest' });

/** A refusal in words, with the request's id for whoever is asked about it. */
export function FaultNote({ error, retry, isPage = false }: Props) {
  if (!error) return null;
  const sentence = error instanceof Error ? error.message : 'Something went wrong. Try again.';
  const requestId = error instanceof AppFault ? error.requestId : null;
  const note = (
    <div role="alert" ref={intoView} className={classes.note}>
      <span className={classes.icon}>
        <Icon name="warning" />
      </span>
      <div className={classes.words}>
        <p>{sentence}</p>
        {requestId && (
          <p className={classes.request}>
            Request <CopyText text={requestId} />
          </p>
        )}
      </div>
      {retry && (
        <Button variant="default" onClick={retry}>
          Try again
        </Button>
      )}
    </div>
  );
  if (!isPage) return note;
  return (
    <main className="lone">
      <h1>Postroom is not available</h1>
      {note}
    </main>
  );
}
