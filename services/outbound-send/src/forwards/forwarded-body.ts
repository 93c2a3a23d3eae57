import type { SourceEmail } from '../mail-reader/mail-reader-store.ts';
import type { OutgoingBody } from '../compose/body.ts';

type Forwarded = Pick<SourceEmail, 'from' | 'to' | 'cc' | 'subject' | 'date'>;

const HEADING = '---------- Forwarded message ----------';

/** The forwarded email under a few lines about its sender and date, as mail programs write it. */
export function forwardedBody(email: Forwarded, { html, text }: OutgoingBody): OutgoingBody {
  const lines = headingLines(email);
  return {
    html: html === null ? null : `<div>${lines.map(escapeHtml).join('<br>\n')}</div>\n<br>\n${html}`,
    text: html !== null && text === null ? null : `${lines.join('\n')}\n\n${text ?? ''}`,
  };
}

function headingLines({ from, to, cc, subject, date }: Forwarded): string[] {
  const people = (list: Forwarded['to']) => list.map(shown).join(', ');
  return [
    HEADING,
    `From: ${shown(from)}`,
    `Date: ${date.toUTCString()}`,
    `Subject: ${subject}`,
    `To: ${people(to)}`,
    ...(cc.length > 0 ? [`Cc: ${people(cc)}`] : []),
  ];
}

function shown({ email, name }: Forwarded['from']): string {
  return name ? `${name} <${email}>` : email;
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
