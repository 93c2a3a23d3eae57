import { Button } from '@mantine/core';
import type { ReadingAnswer, ThreadEmailAnswer } from '@postroom/app/answers';
import { FaultNote } from '../parts/fault-note.tsx';
import { Icon } from '../parts/icon.tsx';
import { inWrittenOrder, sizeText } from './mail-words.ts';
import classes from './email.module.css';
import { useDownload } from './use-download.ts';

interface Props {
  of: ThreadEmailAnswer['attachments'];
  /** Of the email, below /app/api. */
  path: string;
  /** Undefined until it is known. */
  keptBy: ReadingAnswer['keptBy'] | undefined;
}

/** The attachments of an email, and the way to each of them where somebody has its bytes. */
export function Attachments({ of, path, keptBy }: Props) {
  const { download, isUnderWay, error } = useDownload();
  return (
    <div className={classes.attached}>
      <ul className={classes.attachments} aria-label="Attachments">
        {of.map(({ filename, size, mimeType }, at) => {
          const name = inWrittenOrder(filename) || '(no name)';
          return (
            <li key={at} className={classes.attachment}>
              <Icon name="attachment" size={14} />
              <span className={classes.foreign}>{name}</span>
              <span className="soft">
                <span className={classes.foreign}>{mimeType}</span>, {sizeText(size)}
              </span>
              {keptBy !== undefined && keptBy !== 'none' && (
                <Button
                  size="compact-sm"
                  variant="default"
                  aria-label={`Download ${name}`}
                  loading={isUnderWay(at)}
                  onClick={() => download(`${path}/attachments/${at}`, at)}
                >
                  Download
                </Button>
              )}
            </li>
          );
        })}
      </ul>
      {keptBy !== undefined && keptBy !== 'provider' && <p className="soft">{NOTES[keptBy]}</p>}
      <FaultNote error={error} />
    </div>
  );
}

const NOTES = {
  stored:
    'This mailbox has no mail server that keeps the attachments. They can be downloaded for seven days after the email came in.',
  none: 'The attachments cannot be downloaded: this mailbox has no mail server that keeps them, and Postroom keeps their names alone.',
} as const;
