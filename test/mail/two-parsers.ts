import { type AddressObject, simpleParser } from 'mailparser';
import { parseMessage } from '@postroom/mime/message';
import { messageBounds } from '@postroom/mime/message-bounds';

/** The values on which two parsers must agree. Differences without meaning are removed. */
export interface Reading {
  subject: string;
  from: string[];
  to: string[];
  date: string;
  text: string;
  attachments: string[];
}

/** Trailing spaces and the number of empty lines at the end say nothing. */
export const level = (text: string) =>
  text
    .replace(/\r\n?/g, '\n')
    .replace(/[ \t]+$/gm, '')
    .replace(/^\n+|\n+$/g, '');
export const flat = (text: string) => text.replace(/\s+/g, ' ').trim();
export const person = (email: string, name: string | null) => flat(`${name ?? ''} <${email.toLowerCase()}>`);

export function ours(raw: Buffer): Reading | string {
  try {
    const message = parseMessage(raw, messageBounds);
    return {
      subject: flat(message.subject),
      from:
        message.from.email === '' && message.from.name === null ? [] : [person(message.from.email, message.from.name)],
      to: message.to.map(({ email, name }) => person(email, name)),
      date: message.date?.toISOString() ?? '',
      text: level(message.text ?? ''),
      attachments: message.attachments.map(({ filename, size, mimeType }) => `${filename} ${mimeType} ${size}`),
    };
  } catch (error) {
    return (error as Error).name;
  }
}

/** The reading of mailparser. */
export async function theirs(raw: Buffer): Promise<Reading | string> {
  try {
    return await reading(raw);
  } catch (error) {
    return (error as Error).message;
  }
}

async function reading(raw: Buffer): Promise<Reading> {
  const mail = await simpleParser(raw, {
    skipHtmlToText: true,
    skipTextToHtml: true,
    skipImageLinks: true,
    skipTextLinks: true,
  });
  return {
    subject: flat(mail.subject ?? ''),
    from: people(mail.from).slice(0, 1),
    to: people(mail.to),
    date: mail.date && !Number.isNaN(mail.date.getTime()) ? mail.date.toISOString() : '',
    text: level(mail.text ?? ''),
    attachments: mail.attachments.map(({ filename, contentType, size }) => `${filename ?? ''} ${contentType} ${size}`),
  };
}

function people(field: AddressObject | AddressObject[] | undefined): string[] {
  const all = [field ?? []].flat().flatMap(({ value }) => value);
  return all.flatMap((entry) => entry.group ?? [entry]).map(({ address, name }) => person(address ?? '', name));
}

/** The names of the parts on which two readings differ. */
export function differences(mine: Reading | string, other: Reading | string): string[] {
  if (typeof mine === 'string') return ['we refuse it'];
  if (typeof other === 'string') return ['they refuse it'];
  return (Object.keys(mine) as (keyof Reading)[]).filter(
    (key) => JSON.stringify(mine[key]) !== JSON.stringify(other[key]),
  );
}
