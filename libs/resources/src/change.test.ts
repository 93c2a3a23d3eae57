import { expect, it } from '@jest/globals';
import { bounds } from '@postroom/contract/bounds';
import { toJsonChangePage } from './change.ts';

const changeOf = (seq: number, data: object) => ({
  id: `evt_${seq}`,
  seq,
  event: 'draft.sent',
  createdAt: '2026-03-01T00:00:00.000Z',
  data: JSON.stringify(data),
  cursor: `after ${seq}`,
});

it('ends a page before it exceeds the bytes of a page, and goes on behind its last change', () => {
  const to = Array.from({ length: 100 }, (_, n) => `${n}@${'x'.repeat(250)}`);
  const changes = Array.from({ length: 500 }, (_, n) => changeOf(n + 1, { to, subject: '€'.repeat(998) }));
  const page = toJsonChangePage({ changes, nextCursor: 'after 500', nextSeq: 500, hasMore: false });
  const count = page.items.length;
  expect(Buffer.byteLength(JSON.stringify(page))).toBeLessThanOrEqual(bounds.pageBytes);
  expect(count).toBeGreaterThan(200);
  expect([page.nextCursor, page.hasMore]).toEqual([`after ${count}`, true]);
  const rest = { changes: changes.slice(count), nextCursor: 'after 500', nextSeq: 500, hasMore: false };
  expect(toJsonChangePage(rest)).toMatchObject({ nextCursor: 'after 500', hasMore: false });
});
