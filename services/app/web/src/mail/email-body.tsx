import { useState } from 'react';
import { Button } from '@mantine/core';
import type { ReadingAnswer } from '@postroom/app/answers';
import { linkPieces } from './body-links.ts';
import classes from './email.module.css';

const LINE_PX = 26;
const LEAST_PX = 120;
const MOST_PX = 720;

/**
 * The html of an email stands in a frame from its own address, without scripts and with an origin that is nobody's. The
 * page therefore cannot measure it: its height is that of about as many lines; a person can drag it
 * larger, and it scrolls.
 */
export function EmailBody({ path, reading }: { path: string; reading: ReadingAnswer }) {
  const { text, hasHtml, hasImages, lines } = reading;
  const [isPlain, setPlain] = useState(!hasHtml);
  const [showsImages, setShowsImages] = useState(false);
  const height = Math.min(MOST_PX, Math.max(LEAST_PX, lines * LINE_PX)) + (showsImages ? MOST_PX / 2 : 0);
  return (
    <>
      {hasHtml && (
        <div className={classes.choices}>
          {hasImages && !showsImages && !isPlain && (
            <Button variant="default" onClick={() => setShowsImages(true)}>
              Show images once
            </Button>
          )}
          {text !== null && text.trim() !== '' && (
            <Button variant="subtle" color="gray" onClick={() => setPlain(!isPlain)}>
              {isPlain ? 'Show formatted' : 'Show plain text'}
            </Button>
          )}
        </div>
      )}
      {isPlain ? (
        <PlainText text={text ?? ''} />
      ) : (
        <iframe
          key={String(showsImages)}
          title="Text of the email"
          className={classes.frame}
          style={{ height }}
          sandbox="allow-popups allow-popups-to-escape-sandbox"
          referrerPolicy="no-referrer"
          src={`/app/api${path}/frame${showsImages ? '?images=once' : ''}`}
        />
      )}
    </>
  );
}

function PlainText({ text }: { text: string }) {
  if (text.trim() === '') return <p className="soft">This email has no text.</p>;
  return (
    <pre className={classes.plain}>
      {linkPieces(text).map(({ text: words, href }, at) =>
        href === undefined ? (
          words
        ) : (
          <a key={at} href={href} target="_blank" rel="noopener noreferrer">
            {words}
          </a>
        ),
      )}
    </pre>
  );
}
