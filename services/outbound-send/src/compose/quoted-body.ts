import type { SourceEmail } from '../directory/directory-store.ts';
import type { OutgoingBody } from './body.ts';

type Quoted = Pick<SourceEmail, 'from' | 'to' | 'cc' | 'subject' | 'date'>;

const HEADING = '---------- Forwarded message ----------';

/** The forwarded email under a few lines about its sender and date, as mail programs write it. */
export function quotedBody(email: Quoted, { html, text }: OutgoingBody): OutgoingBody {
  const lines = headingLines(email);
  return {
    html: html === null ? null : `<div>${lines.map(escapeHtml).join('<br>\n')}</div>\n<br>\n${html}`,
    text: html !== null && text === null ? null : `${lines.join('\n')}\n\n${text ?? ''}`,
  };
}

function headingLines({ from, to, cc, subject, date }: Quoted): string[] {
  const people = (list: Quoted['to']) => list.map(shown).join(', ');
  return [
    HEADING,
    `From: ${shown(from)}`,
    `Date: ${date.toUTCString()}`,
    `Subject: ${subject}`,
    `To: ${people(to)}`,
    ...(cc.length > 0 ? [`Cc: ${people(cc)}`] : []),
  ];
}

function shown({ email, name }: Quoted['from']): string {
  return name ? `${name} <${email}>` : email;
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
