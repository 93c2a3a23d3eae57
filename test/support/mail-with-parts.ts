/** A part of a message, encoded as base64. */
export interface MailPart {
  type: string;
  /** Its file name, as it stands in the header. */
  name?: string;
  contentId?: string;
  content: Buffer;
}

const BOUNDARY = 'parts-of-a-test';

/** The one picture that every browser shows: a dot. */
export const PNG_DOT = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** The headers and the body of a message with html and these parts, as `rawMessage` takes them. */
export function mailWithParts(html: string, parts: readonly MailPart[]) {
  const pieces = [
    `--${BOUNDARY}\r\nContent-Type: text/html; charset=utf-8\r\n\r\n${html}\r\n`,
    ...parts.map((part) => `--${BOUNDARY}\r\n${partText(part)}\r\n`),
    `--${BOUNDARY}--`,
  ];
  return { headers: { 'Content-Type': `multipart/mixed; boundary="${BOUNDARY}"` }, text: pieces.join('') };
}

function partText({ type, name, contentId, content }: MailPart): string {
  const lines = [
    `Content-Type: ${type}`,
    'Content-Transfer-Encoding: base64',
    ...(name === undefined ? [] : [`Content-Disposition: attachment; filename="${name}"`]),
    ...(contentId === undefined ? [] : [`Content-ID: <${contentId}>`]),
  ];
  return [...lines, '', content.toString('base64').replace(/.{76}/g, '$&\r\n')].join('\r\n');
}
