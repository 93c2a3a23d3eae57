import { expect, it } from '@jest/globals';
import { minute } from '../support/emails.ts';
import type { MessageParts } from '../support/message.ts';
import { useStack } from '../support/use-stack.ts';

const COUNT = process.env['POSTROOM_FULL'] ? 100 : 10;
/** Few enough for one call on any database. */
const BATCH = 5;

const stack = useStack();

interface Kind {
  message(mark: string): MessageParts;
  hasHtml: boolean;
}

const row = (mark: string) =>
  `<tr><td style="padding:8px"><a href="https://shop.example/${mark}">${mark}</a></td></tr>`;
const newsletter = (mark: string, rows: number) =>
  `<html><head><style>td{color:red}</style></head><body><table>${row(mark).repeat(rows)}</table></body></html>`;
const parts = (type: string, ...pieces: [contentType: string, content: string][]): MessageParts => ({
  headers: { 'Content-Type': `multipart/${type}; boundary="edge"` },
  text: [
    ...pieces.map(([contentType, content]) => `--edge\r\nContent-Type: ${contentType}\r\n\r\n${content}`),
    '--edge--',
  ].join('\r\n'),
});

const kinds: Record<string, Kind> = {
  'plain text': { message: (mark) => ({ text: `Dear Bob,\r\n${mark}\r\nAnn` }), hasHtml: false },
  'long plain text': { message: (mark) => ({ text: `${mark} and so on.\r\n`.repeat(800) }), hasHtml: false },
  'a short html': { message: (mark) => ({ html: `<p>Dear Bob,</p><p>${mark}</p>` }), hasHtml: true },
  'a newsletter': { message: (mark) => ({ html: newsletter(mark, 240) }), hasHtml: true },
  'a long newsletter': { message: (mark) => ({ html: newsletter(mark, 1_000) }), hasHtml: true },
  'text beside html': {
    message: (mark) => parts('alternative', ['text/plain', mark], ['text/html; charset=utf-8', newsletter(mark, 120)]),
    hasHtml: true,
  },
  'html with its images': {
    message: (mark) =>
      parts(
        'related',
        ['text/html', `<p>${mark}</p><img src="cid:logo@shop">${newsletter(mark, 100)}`],
        ['image/png\r\nContent-ID: <logo@shop>\r\nContent-Transfer-Encoding: base64', 'AAAA'.repeat(2_000)],
      ),
    hasHtml: true,
  },
  'html with an attachment': {
    message: (mark) =>
      parts(
        'mixed',
        ['text/html', newsletter(mark, 100)],
        ['application/pdf; name=a.pdf\r\nContent-Disposition: attachment; filename=a.pdf', '%PDF'.repeat(5_000)],
      ),
    hasHtml: true,
  },
};

it.each(Object.entries(kinds))('emails of one kind read twice have their bodies: %s', async (_name, kind) => {
  const workspace = await stack.workspace();
  const mailbox = await workspace.connectMailbox();
  const marks = Array.from({ length: COUNT }, (_, n) => `order-${1_000 + n}`);
  const ids: string[] = [];
  for (let from = 0; from < COUNT; from += BATCH) {
    const messages = marks
      .slice(from, from + BATCH)
      .map((mark, n) => ({ date: minute(from + n), ...kind.message(mark) }));
    ids.push(...(await workspace.ingest(mailbox.id, messages)));
  }

  const readAll = async () => {
    const bodies: unknown[] = [];
    for (const [n, id] of ids.entries()) {
      const { html, text } = (await workspace.read.get(`/emails/${id}/body`)).body.body;
      expect(html === null).toBe(!kind.hasHtml);
      expect(html ?? text).toContain(marks[n]);
      expect(html ?? '').not.toContain('<style');
      bodies.push({ html, text });
    }
    return bodies;
  };
  const first = await readAll();
  expect(await readAll()).toEqual(first);
});
