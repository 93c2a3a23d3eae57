import { shownText } from '@postroom/mime/shown-text';
import { withoutInvisible } from '@postroom/mime/invisible';
import { cutToTokens } from './tokens.ts';

/** The part of an email that a model sees: the text that a person would read, within the bound of the prompt. */
export interface MailText {
  from: string;
  subject: string;
  date: string;
  text: string;
}

export interface ReadMail {
  from: { email: string; name: string | null };
  subject: string;
  date: Date;
  html: string | null;
  text: string | null;
}

const MOST_TOKENS = { name: 60, subject: 200, text: 3_000 };

export function toMailText({ from, subject, date, html, text }: ReadMail): MailText {
  const name = from.name === null ? '' : cutToTokens(withoutInvisible(from.name), MOST_TOKENS.name);
  const address = cutToTokens(withoutInvisible(from.email), MOST_TOKENS.name);
  return {
    from: name === '' ? address : `${name} <${address}>`,
    subject: cutToTokens(withoutInvisible(subject), MOST_TOKENS.subject),
    date: date.toISOString(),
    text: cutToTokens(shownText({ html, text }).text, MOST_TOKENS.text),
  };
}
