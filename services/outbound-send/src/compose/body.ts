import { writtenText } from '@postroom/mime/visible-text';

export interface OutgoingBody {
  html: string | null;
  text: string | null;
}

/**
 * The body for the reader: the caller's body, the signature, and a text alternative for programs that show no html. A
 * body of text alone stays text alone.
 */
export function finishBody({ html, text }: OutgoingBody, signatureHtml: string | null): OutgoingBody {
  if (html === null) return { html: null, text: withTextSignature(text ?? '', signatureHtml) };
  const signed = signatureHtml === null ? html : `${html}\n<br><br>\n<div>${signatureHtml}</div>`;
  const said = text === null || text.trim() === '' ? writtenText(html) : text;
  return { html: signed, text: withTextSignature(said, signatureHtml) };
}

// "-- " on a line of its own is what mail programs know a signature by (RFC 3676 §4.3).
function withTextSignature(text: string, signatureHtml: string | null): string {
  if (signatureHtml === null) return text;
  return `${text.trimEnd()}\n\n-- \n${writtenText(signatureHtml)}\n`;
}
