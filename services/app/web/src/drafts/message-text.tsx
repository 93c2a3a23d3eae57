import type { WholeApprovalAnswer } from '@postroom/app/answers';
import { Icon } from '../parts/icon.tsx';
import { Section } from '../parts/page.tsx';
import classes from './drafts.module.css';

type Message = Pick<WholeApprovalAnswer, 'text' | 'html' | 'readableHtml' | 'hidesText'>;

/** Apart from space, and from the line that begins a signature. */
const wordsOf = (text: string): string => text.replace(/^-- ?$/gm, '').replace(/\s+/g, '');

/** A message may have two forms, and its recipients choose which one they see. */
export function MessageText({ approval: { text, html, readableHtml, hidesText } }: { approval: Message }) {
  const shown = readableHtml ?? text ?? '';
  const hasOtherText = html !== null && text !== null && text !== '' && wordsOf(text) !== wordsOf(shown);
  return (
    <>
      {hidesText && <HiddenTextWarning />}
      <Section title="Text">
        <pre className={classes.text}>{shown === '' ? 'No text' : shown}</pre>
      </Section>
      {hasOtherText && (
        <Section title="Text without html" intro="Mail programs without html show this in its place.">
          <pre className={classes.text}>{text}</pre>
        </Section>
      )}
      {html !== null && <HtmlSource html={html} isOpen={hidesText} />}
    </>
  );
}

export function HiddenTextWarning() {
  return (
    <p role="alert" className={classes.warning}>
      <Icon name="warning" />
      <span>This message holds text that its readers may not see. Read all of its source before it leaves.</span>
    </p>
  );
}

export function HtmlSource({ html, isOpen }: { html: string; isOpen: boolean }) {
  return (
    <details className={classes.source} open={isOpen}>
      <summary>Source of the html</summary>
      <pre className={classes.text} tabIndex={0} aria-label="Source of the html">
        {html}
      </pre>
    </details>
  );
}
