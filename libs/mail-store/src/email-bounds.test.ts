import { bounds } from '@postroom/contract/bounds';
import { describe, expect, it } from '@jest/globals';
import { boundedItem, boundedLabels, fittedEmail, fittedItem } from './email-bounds.ts';
import { toListProjection, completeListItem, type ListProjectionSource } from './list-projection.ts';

const people = (count: number, length = 10) =>
  Array.from({ length: count }, (_, n) => ({ email: `${n}@${'x'.repeat(length)}`, name: `"${'ä'.repeat(length)}"` }));
const files = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ filename: `${n}${'x'.repeat(250)}`, size: n, mimeType: 'y'.repeat(255) }));
const ids = (count: number, length = 10) => Array.from({ length: count }, (_, n) => `<${n}@${'x'.repeat(length)}>`);
const email = (more: Partial<ListProjectionSource> = {}): ListProjectionSource => ({
  _id: 'eml_1',
  mailboxId: 'mbx_1',
  threadId: 'thr_1',
  messageId: '<a@x>',
  inReplyTo: null,
  references: [],
  from: { email: 'a@x', name: null },
  to: [],
  cc: [],
  subject: 'Hello',
  snippet: '',
  date: new Date(0),
  isDraft: false,
  hasAttachments: false,
  attachments: [],
  ...more,
});
const mutable = { folderId: 'fld_1', isRead: false, isStarred: false, waitingForReply: false };
const itemOf = (source: ListProjectionSource) => completeListItem(toListProjection(source), mutable, '[]');

describe('a list item', () => {
  it('holds at most so many of each, and so much in each', () => {
    const item = boundedItem(
      email({ references: ids(300), to: people(300, 400), cc: people(300), attachments: files(300) }),
    );
    expect([item.references.length, item.references[0], item.references[1], item.references.at(-1)]).toEqual([
      bounds.listItem.references,
      ids(300)[0],
      ids(300)[201],
      ids(300)[299],
    ]);
    expect([item.to.length, item.cc.length, item.attachments.length]).toEqual([200, 200, 200]);
    expect([item.to[0]?.email.length, item.to[0]?.name?.length]).toEqual([320, 320]);
  });

  it('of an ordinary mail is the mail', () => {
    const plain = email({ references: ids(100), to: people(200, 1), attachments: files(3) });
    expect(JSON.parse(itemOf(plain))).toMatchObject({
      references: plain.references,
      to: plain.to,
      attachments: plain.attachments,
    });
  });

  it('has at most 32 KB, whatever it is full of, and is full then', () => {
    const worst = email({
      subject: '"'.repeat(2_000),
      snippet: '🎉'.repeat(200),
      messageId: 'x'.repeat(998),
      inReplyTo: 'x'.repeat(998),
      references: ids(1_000, 990),
      to: people(1_000, 990),
      cc: people(1_000, 990),
      attachments: files(2_000),
    });
    const item = itemOf(worst);
    expect(Buffer.byteLength(item)).toBeLessThanOrEqual(bounds.listItem.bytes);
    expect(Buffer.byteLength(item)).toBeGreaterThan(bounds.listItem.bytes * 0.8);
    const { references, to, cc, attachments } = JSON.parse(item);
    expect([references[0], references.at(-1)]).toEqual([worst.references[0], worst.references.at(-1)]);
    for (const list of [references, to, cc, attachments]) expect(list.length).toBeGreaterThan(3);
  });

  it('is the same whatever else stands in the email', () => {
    const large = email({ to: people(1_000, 990), attachments: files(2_000) });
    const stored = { ...large, bcc: people(900, 990), folded: { text: 'x'.repeat(100_000) } };
    expect(toListProjection(stored)).toBe(toListProjection(large));
  });

  it('leaves short lists whole where a long one is cut', () => {
    const item = fittedItem(boundedItem(email({ to: people(5), attachments: files(200), references: ids(5) })));
    expect([item.to.length, item.references.length]).toEqual([5, 5]);
    expect(item.attachments.length).toBeGreaterThan(40);
  });
});

describe('an email', () => {
  it('keeps what fits into 256 KB', () => {
    const large = { ...email({ to: people(1_000, 990), attachments: files(2_000) }), bcc: people(1_000, 990) };
    const size = Buffer.byteLength(JSON.stringify(fittedEmail(large)));
    expect(size).toBeLessThanOrEqual(bounds.emailBytes);
    expect(size).toBeGreaterThan(bounds.emailBytes * 0.9);
    const usual = email({ to: people(300), references: ids(300) });
    expect(fittedEmail(usual)).toEqual(usual);
  });
});

describe("a provider's labels", () => {
  it('stay as they are within the bounds, and stay so when they are bounded again', () => {
    const labels = ['Work', '\\\\Important', 'ä'.repeat(255)];
    expect(boundedLabels(labels)).toEqual(labels);
    const many = boundedLabels(Array.from({ length: 10_000 }, (_, n) => `${n}${'🎉'.repeat(1_000)}`));
    expect(boundedLabels(many)).toEqual(many);
  });

  it.each([
    ['there are many', Array.from({ length: 100_000 }, (_, n) => `${n}`), bounds.providerLabels.count],
    ['each is long', ['x'.repeat(1_900_000), 'y'.repeat(1_000)], 2],
    ['all of them together are long', Array.from({ length: 200 }, () => '"'.repeat(255)), 31],
  ])('are the first ones, each of a bounded length, where %s', (_, labels, kept) => {
    const bounded = boundedLabels(labels);
    expect(bounded).toHaveLength(kept);
    expect(Math.max(...bounded.map(({ length }) => length))).toBeLessThanOrEqual(bounds.providerLabels.length);
    expect(Buffer.byteLength(JSON.stringify(bounded))).toBeLessThanOrEqual(bounds.providerLabels.bytes);
  });
});
